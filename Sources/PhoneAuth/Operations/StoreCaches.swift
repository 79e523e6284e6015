internal import Synchronization

/// The values from the store that every request needs and that rarely change. A process needs one instance.
public final class StoreCaches: Sendable {
    /// The maximum age of a value that is used.
    private static let maximumAge: Duration = .seconds(3)

    /// The id of the index key in force.
    let indexKeyID: StoreCache<UInt8>
    /// Whether the store has no room for new accounts.
    let isMemoryNearlyFull: StoreCache<Bool>
    /// The backlog of each outbox, for metrics: read at most once in five seconds.
    let backlogs: StoreCache<[Outbox: OutboxBacklog]> = StoreCache(lifetime: .seconds(5), maximumAge: .seconds(10))
    private let projects = Mutex<[String: StoreCache<ProjectSettings>]>([:])
    private let settingsLifetime: Duration

    /// Creates empty caches of values that are reread after this time, and settings after theirs. With a lifetime of
    /// zero, each request reads the values, so it sees every change that was acknowledged before.
    public init(lifetime: Duration = .seconds(1), settingsLifetime: Duration? = nil) {
        self.settingsLifetime = settingsLifetime ?? lifetime
        indexKeyID = Self.cache(lifetime)
        isMemoryNearlyFull = Self.cache(lifetime)
    }

    /// Returns the cache of a project's settings. Only configured projects have a cache, so the number of caches is
    /// bounded.
    func settings(of project: Project) -> StoreCache<ProjectSettings> {
        projects.withLock { projects in
            if let known = projects[project.id] { return known }
            let new: StoreCache<ProjectSettings> = Self.cache(settingsLifetime)
            projects[project.id] = new
            return new
        }
    }

    private static func cache<Value: Sendable>(_ lifetime: Duration) -> StoreCache<Value> {
        StoreCache(lifetime: lifetime, maximumAge: lifetime == .zero ? .zero : max(lifetime, maximumAge))
    }
}

extension Policy {
    /// How soon requests see a change of a project's settings: within a second, and within
    /// ``StoreCaches/maximumAge`` if the store is slow. In development mode at once: test suites of the reference
    /// emulator change the configuration and then call an operation immediately.
    public var settingsLifetime: Duration { development == nil ? .seconds(1) : .zero }
}

/// A value from the store that all threads of a process share, and that is reread when it is ``lifetime`` old.
///
/// One thread rereads it; meanwhile the other threads use the previous value, until that value is ``maximumAge`` old.
/// Ages count from before the store was queried, so no value that was replaced in the store ``maximumAge`` ago is ever
/// used.
final class StoreCache<Value: Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct Entry {
        let value: Value
        let askedAt: Instant
        var refreshesAt: Instant
    }

    private let entry = Mutex<Entry?>(nil)
    private let lifetime: Duration
    private let maximumAge: Duration

    init(lifetime: Duration, maximumAge: Duration) {
        self.lifetime = lifetime
        self.maximumAge = maximumAge
    }

    /// Returns the value, and calls `read` to get it from the store if no recent value is cached.
    /// - Throws: what `read` throws. The previous value is then discarded, so every caller fails until the store
    ///   responds (fail closed).
    func value(at now: Instant = .now, _ read: () throws(StoreUnavailable) -> Value) throws(StoreUnavailable) -> Value {
        if let known = known(at: now) { return known }
        do {
            let value = try read()
            replace(by: Entry(value: value, askedAt: now, refreshesAt: now + lifetime), at: now)
            return value
        } catch {
            replace(by: nil, at: now)
            throw error
        }
    }

    /// Replaces the entry unless it is newer than `now`.
    private func replace(by new: Entry?, at now: Instant) {
        entry.withLock { entry in
            if let newer = entry, newer.askedAt > now { return }
            entry = new
        }
    }

    /// Returns the cached value; nil if the caller must read it.
    private func known(at now: Instant) -> Value? {
        entry.withLock { entry in
            guard let known = entry, now < known.askedAt + maximumAge else { return nil }
            if now < known.refreshesAt { return known.value }
            entry?.refreshesAt = now + lifetime
            return nil
        }
    }
}

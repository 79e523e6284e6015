internal import RedisStore
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

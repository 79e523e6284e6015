internal import RedisStore
internal import Synchronization

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

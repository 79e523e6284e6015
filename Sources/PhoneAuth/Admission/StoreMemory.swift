internal import RedisStore
internal import Synchronization

/// Whether the store has room for new accounts, read again when it is a second old, once in a process.
///
/// At `maxmemory` Redis refuses writes of all users, so new accounts are refused before that: what is left is for
/// sign-ins, sessions and messages of users who have an account.
final class StoreMemory: Sendable {
    private let state = Mutex<(isNearlyFull: Bool, freshUntil: ContinuousClock.Instant)>((false, .now))
    private static let lifetime: Duration = .seconds(1)

    func isNearlyFull(_ store: Store) throws(StoreUnavailable) -> Bool {
        let now = ContinuousClock.now
        let known = state.withLock { state -> Bool? in
            if now < state.freshUntil { return state.isNearlyFull }
            // One thread reads it; the others go on with what is known.
            state.freshUntil = now + Self.lifetime
            return nil
        }
        if let known { return known }
        let use = try store.memoryUse()
        let isNearlyFull = use.map { $0.usedBytes * 100 >= $0.maximumBytes * Policy.fullMemoryPercent } ?? false
        state.withLock { $0.isNearlyFull = isNearlyFull }
        return isNearlyFull
    }
}

internal import Encodings
internal import Synchronization

/// The current provider token of a key, and its renewal.
///
/// APNs requires renewal between 20 and 60 minutes, and returns `TooManyProviderTokenUpdates` for more frequent
/// renewals. All requests therefore share one token, which is renewed at the age of 40 minutes. If APNs reports earlier
/// that a token has expired, a clock is wrong, here or at Apple. One renewal may help; after it, there is no other for
/// 20 minutes.
final class ProviderTokenSource: Sendable {
    static let renewalAge: Duration = .seconds(40 * 60)
    static let minimumInterval: Duration = .seconds(20 * 60)

    private let key: ProviderTokenKey
    private let state = Mutex(State())

    private struct State: Sendable {
        var current: ProviderToken?
        var lastReplacement: Instant?
    }

    init(key: ProviderTokenKey) {
        self.key = key
    }

    /// Returns the current token.
    func token(at now: Instant) throws(SigningFailure) -> ProviderToken {
        try state.withLock { state throws(SigningFailure) in
            if let current = state.current, Self.isUsable(current, at: now) { return current }
            return try renew(&state, at: now)
        }
    }

    /// Returns the token for a retry after APNs reported that `refused` has expired; nil if it is too early for another
    /// renewal.
    ///
    /// All requests that were refused with the same token share one renewal.
    func replacement(for refused: ProviderToken, at now: Instant) throws(SigningFailure) -> ProviderToken? {
        try state.withLock { state throws(SigningFailure) in
            if let current = state.current, current != refused { return current }
            if let last = state.lastReplacement, Self.isWithinMinimumInterval(from: last, to: now) { return nil }
            state.lastReplacement = now
            return try renew(&state, at: now)
        }
    }

    private func renew(_ state: inout State, at now: Instant) throws(SigningFailure) -> ProviderToken {
        let token = try key.token(at: now)
        state.current = token
        return token
    }

    /// Returns whether a token can be used. A token from the future was signed before the clock was set back: it stays
    /// valid after a small correction, but not after a large one.
    private static func isUsable(_ token: ProviderToken, at now: Instant) -> Bool {
        now < token.issuedAt + renewalAge && token.issuedAt < now + minimumInterval
    }

    /// Returns whether `now` is within the minimum interval after `last`; false if the clock was set back since.
    /// Otherwise, a clock that was a day ahead would block renewals for a day.
    private static func isWithinMinimumInterval(from last: Instant, to now: Instant) -> Bool {
        last <= now && now < last + minimumInterval
    }
}

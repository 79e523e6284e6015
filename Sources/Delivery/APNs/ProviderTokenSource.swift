internal import PhoneAuth
internal import Synchronization

/// Hands out a key's current token and decides when it is time for a new one.
///
/// APNs wants a token to be renewed after 20 minutes at the earliest and 60 at the latest, and answers
/// `TooManyProviderTokenUpdates` to who renews more often. So everybody shares one token, which is renewed at the age of 40 minutes.
/// A token that APNs calls expired earlier than that points to a wrong clock, here or there: one renewal may cure it,
/// and if it does not, no other is made for 20 minutes.
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

    /// The token to send with.
    func token(at now: Instant) throws(SigningFailure) -> ProviderToken {
        try state.withLock { state throws(SigningFailure) in
            if let current = state.current, Self.isUsable(current, at: now) { return current }
            return try renew(&state, at: now)
        }
    }

    /// The token to try once more with after APNs called `refused` expired, or nil where it is too early for another renewal.
    ///
    /// However many requests were refused with the same token, they share one renewal.
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

    /// A token from the future was made before the clock was set back: small corrections do it no harm, large ones do.
    private static func isUsable(_ token: ProviderToken, at now: Instant) -> Bool {
        now < token.issuedAt + renewalAge && token.issuedAt < now + minimumInterval
    }

    /// False when the clock was set back since: otherwise a clock that was a day ahead would forbid renewals for a day.
    private static func isWithinMinimumInterval(from last: Instant, to now: Instant) -> Bool {
        last <= now && now < last + minimumInterval
    }
}

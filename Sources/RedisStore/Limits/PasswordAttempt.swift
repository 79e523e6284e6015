internal import Redis

/// An attempt to sign in with a password: what the script `count-password-attempt.lua` needs.
public struct PasswordAttempt: Sendable {
    /// What wrong passwords are counted for.
    public enum Counter: Sendable, CaseIterable {
        /// An e-mail address, by one network.
        case emailAndNetwork
        /// An e-mail address, by anybody.
        case email
        /// A network, for any address.
        case network
    }

    let email: EmailIdentity
    let network: NetworkIdentity
    let id: String
    let now: Int64
    let limits: WrongPasswordLimits

    /// The `id` tells it from others; `now` is in milliseconds since the Unix epoch.
    public init(
        email: EmailIdentity,
        network: NetworkIdentity,
        id: String,
        now: Int64,
        limits: WrongPasswordLimits
    ) {
        self.email = email
        self.network = network
        self.id = id
        self.now = now
        self.limits = limits
    }

    var keys: [String] {
        Counter.allCases.map { counter in
            switch counter {
            case .emailAndNetwork: KeyNames.wrongPasswords(email, by: network)
            case .email: KeyNames.wrongPasswords(email)
            case .network: KeyNames.wrongPasswords(by: network)
            }
        }
    }

    /// Whether an attempt may be judged.
    public enum Outcome: Sendable, Equatable {
        /// It may, and counts as a wrong one until it is forgotten.
        case counted
        /// It may not: there were as many wrong ones as may be. Nothing has changed.
        case limited(Counter, retryAfterMilliseconds: Int64)
    }
}

extension Store {
    /// Counts an attempt as a wrong one, where there is room for one more, in one atomic step.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func countPasswordAttempt(
        _ attempt: PasswordAttempt
    ) throws(StoreUnavailable) -> PasswordAttempt.Outcome {
        var arguments: [Argument] = [.integer(attempt.now), .text(attempt.id)]
        for counter in PasswordAttempt.Counter.allCases {
            let (windowMilliseconds, maximum) = attempt.limits[counter]
            arguments += [.integer(windowMilliseconds), .integer(Int64(maximum))]
        }
        let reply = try run(Scripts.countPasswordAttempt, keys: attempt.keys, arguments)
        switch try reply.outcome() {
        case "counted": return .counted
        case "limited":
            let index = Int(try reply.integer(at: 1)) - 1
            guard PasswordAttempt.Counter.allCases.indices.contains(index) else { throw .unexpectedReply }
            return .limited(
                PasswordAttempt.Counter.allCases[index],
                retryAfterMilliseconds: try reply.integer(at: 2)
            )
        default: throw .unexpectedReply
        }
    }

    /// Counts an attempt no more: it was right, or could not be judged.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func forgetPasswordAttempt(_ attempt: PasswordAttempt) throws(StoreUnavailable) {
        _ = try pipeline("ZREM", attempt.keys.map { [$0, attempt.id] })
    }
}

internal import Redis

/// An attempt to sign in with a password: the input of the script `count-password-attempt.lua`.
public struct PasswordAttempt: Sendable {
    /// The counters of wrong passwords.
    public enum Counter: Sendable, Equatable {
        /// For an e-mail address, by one network of the client.
        case emailAndNetwork(NetworkWidth)
        /// For an e-mail address, by any client.
        case email
        /// For any address, by one network of the client.
        case network(NetworkWidth)
    }

    let email: EmailIdentity
    let networks: ClientNetworks
    let knownNetwork: NetworkIdentity
    let id: String
    let now: Int64
    let limits: WrongPasswordLimits

    /// Describes an attempt. `knownNetwork` is the client's network as in
    /// ``Store/rememberKnownNetwork(_:of:now:maximum:lifeMilliseconds:)``. `id` identifies the attempt; `now` is in
    /// milliseconds since the Unix epoch.
    public init(
        email: EmailIdentity,
        networks: ClientNetworks,
        knownNetwork: NetworkIdentity,
        id: String,
        now: Int64,
        limits: WrongPasswordLimits
    ) {
        self.email = email
        self.networks = networks
        self.knownNetwork = knownNetwork
        self.id = id
        self.now = now
        self.limits = limits
    }

    /// A rate limit that counts the attempt.
    struct Limit {
        let counter: Counter
        let key: String
        let windowMilliseconds: Int64
        let maximum: Int
    }

    private var countedByEmailAndNetwork: [Limit] {
        networks.all.flatMap { network in
            limits.perEmail(by: network.width, isWidest: networks.wider.isEmpty).map { window in
                Limit(
                    counter: .emailAndNetwork(network.width),
                    key: KeyNames.wrongPasswords(email, by: network.identity),
                    windowMilliseconds: window.windowMilliseconds,
                    maximum: window.maximum
                )
            }
        }
    }

    /// The limits in the script's order: first those of the address, the narrowest network's before the others.
    var counted: [Limit] {
        countedByEmailAndNetwork + [
            Limit(
                counter: .email,
                key: KeyNames.wrongPasswords(email),
                windowMilliseconds: 86_400_000,
                maximum: limits.perEmailPerDay
            )
        ]
            + networks.all.map { network in
                Limit(
                    counter: .network(network.width),
                    key: KeyNames.wrongPasswords(by: network.identity),
                    windowMilliseconds: 3_600_000,
                    maximum: network.width.maximum(limits.perNetworkPerHour)
                )
            }
    }

    /// Whether a password may be verified.
    public enum Outcome: Sendable, Equatable {
        /// It may, and counts as wrong until the attempt is forgotten.
        case counted
        /// It must not: the maximum of wrong passwords is reached. Nothing has changed.
        case limited(Counter, retryAfterMilliseconds: Int64)
    }
}

extension Store {
    /// Counts an attempt as wrong if there is room for one more, in one atomic step.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func countPasswordAttempt(
        _ attempt: PasswordAttempt
    ) throws(StoreUnavailable) -> PasswordAttempt.Outcome {
        let limits = attempt.counted
        var arguments: [Argument] = [.integer(attempt.now), .text(attempt.id)]
        arguments += [
            .text(attempt.knownNetwork.hash), .integer(Int64((limits.firstIndex { $0.counter == .email } ?? 0) + 1)),
            .integer(Int64(attempt.limits.reservedForKnownNetworks)),
        ]
        for limit in limits { arguments += [.integer(limit.windowMilliseconds), .integer(Int64(limit.maximum))] }
        let reply = try run(
            Scripts.countPasswordAttempt,
            keys: limits.map(\.key) + [KeyNames.knownNetworks(attempt.email)],
            arguments
        )
        switch try reply.outcome() {
        case "counted": return .counted
        case "limited":
            let index = Int(try reply.integer(at: 1)) - 1
            guard limits.indices.contains(index) else { throw .unexpectedReply }
            return .limited(limits[index].counter, retryAfterMilliseconds: try reply.integer(at: 2))
        default: throw .unexpectedReply
        }
    }

    /// Uncounts an attempt: the password was correct, or could not be verified.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func forgetPasswordAttempt(_ attempt: PasswordAttempt) throws(StoreUnavailable) {
        _ = try pipeline("ZREM", attempt.counted.map { [$0.key, attempt.id] })
    }
}

internal import Redis

/// An attempt to sign in with a password: what the script `count-password-attempt.lua` needs.
public struct PasswordAttempt: Sendable {
    /// What wrong passwords are counted for.
    public enum Counter: Sendable, Equatable {
        /// An e-mail address, by one network of the client.
        case emailAndNetwork(NetworkWidth)
        /// An e-mail address, by any client.
        case email
        /// One network of the client, for any address.
        case network(NetworkWidth)
    }

    let email: EmailIdentity
    let networks: ClientNetworks
    let knownNetwork: NetworkIdentity
    let id: String
    let now: Int64
    let limits: WrongPasswordLimits

    /// The `knownNetwork` is the client's as ``Store/rememberKnownNetwork(_:of:now:maximum:lifeMilliseconds:)`` gets
    /// it. The `id` tells the attempt from others; `now` is in milliseconds since the Unix epoch.
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

    /// A limit that the attempt counts in.
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

    /// In the script's order: first those of the address, the narrowest network's before the others.
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

    /// Counts an attempt no more: it was right, or could not be judged.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func forgetPasswordAttempt(_ attempt: PasswordAttempt) throws(StoreUnavailable) {
        _ = try pipeline("ZREM", attempt.counted.map { [$0.key, attempt.id] })
    }
}

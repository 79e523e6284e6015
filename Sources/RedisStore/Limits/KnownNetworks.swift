internal import Redis

extension Store {
    /// Whether the user of an e-mail address signed in from a network before, and not too often in the last hour; `now`
    /// is in milliseconds since the Unix epoch. It counts each time that it is asked.
    /// - Throws: ``StoreUnavailable``.
    public func useKnownNetwork(
        _ network: NetworkIdentity,
        of email: EmailIdentity,
        now: Int64,
        maximumPerHour: Int
    ) throws(StoreUnavailable) -> Bool {
        try run(
            Scripts.useKnownNetwork,
            keys: [KeyNames.knownNetworks(email)],
            [.text(network.hash), .integer(now), .integer(Int64(maximumPerHour))]
        ).integer() == 1
    }

    /// Remembers a network from which the user of an e-mail address has just signed in, in place of the one that was
    /// unused the longest if there are more than `maximum`. `now` is in milliseconds since the Unix epoch.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func rememberKnownNetwork(
        _ network: NetworkIdentity,
        of email: EmailIdentity,
        now: Int64,
        maximum: Int,
        lifeMilliseconds: Int64
    ) throws(StoreUnavailable) {
        _ = try run(
            Scripts.rememberKnownNetwork,
            keys: [KeyNames.knownNetworks(email)],
            [.text(network.hash), .integer(now), .integer(Int64(maximum)), .integer(lifeMilliseconds)]
        )
    }
}

internal import Redis
internal import RedisScripts

extension Store {
    /// Returns whether a network is known (the user of an e-mail address has signed in from it) and has uses left in
    /// this hour. `now` is in milliseconds since the Unix epoch. Each call that returns true counts as a use.
    /// - Throws: ``StoreUnavailable``.
    func useKnownNetwork(
        _ network: NetworkIdentity,
        of email: EmailIdentity,
        now: Int64,
        maximumPerHour: Int
    ) throws(StoreUnavailable) -> Bool {
        let call = ScriptCall(
            .useKnownNetwork,
            keys: ["networksKey": KeyNames.knownNetworks(email)],
            ["network": .text(network.hash), "now": .integer(now), "maximum": .count(maximumPerHour)]
        )
        return try run(call).integer() == 1
    }

    /// Remembers a network from which the user of an e-mail address has just signed in. If there are more than
    /// `maximum`, the least recently used one is forgotten. `now` is in milliseconds since the Unix epoch.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func rememberKnownNetwork(
        _ network: NetworkIdentity,
        of email: EmailIdentity,
        now: Int64,
        maximum: Int,
        lifeMilliseconds: Int64
    ) throws(StoreUnavailable) {
        let call = ScriptCall(
            .rememberKnownNetwork,
            keys: ["networksKey": KeyNames.knownNetworks(email)],
            [
                "network": .text(network.hash),
                "now": .integer(now),
                "maximum": .count(maximum),
                "life": .integer(lifeMilliseconds),
            ]
        )
        _ = try run(call)
    }
}

internal import Redis

extension Store {
    /// Counts a challenge of the client's networks. Returns how many they requested in the current window before this
    /// one, and whether their clients must solve the hard challenge. Of several networks, the one that used the largest
    /// part of its allowance counts.
    /// - Throws: ``StoreUnavailable``.
    public func countChallenge(
        of networks: ClientNetworks,
        windowMilliseconds: Int64
    ) throws(StoreUnavailable) -> (count: Int, mustBeHard: Bool) {
        let reply = try run(
            Scripts.countChallenge,
            keys: [KeyNames.challengedNetwork(networks.narrowest)]
                + networks.all.map { KeyNames.challenges($0.identity) },
            [.integer(windowMilliseconds)] + networks.all.map { .integer(Int64($0.width.allowance)) }
        )
        return (Int(try reply.integer(at: 0)), try reply.integer(at: 1) == 1)
    }

    /// Counts a token that is about to be verified by a challenge's provider, if there is room for one more.
    /// - Returns: how long until there is room, in milliseconds; nil if it was counted.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    public func countProviderCheck(
        by networks: ClientNetworks,
        requestID: String,
        windowMilliseconds: Int64,
        maximum: Int,
        now: Int64
    ) throws(StoreUnavailable) -> Int64? {
        let all = networks.all
        let reply = try run(
            Scripts.countProviderCheck,
            keys: all.map { KeyNames.providerChecks($0.identity) },
            [.integer(now), .text(requestID), .integer(windowMilliseconds)]
                + all.map { .integer(Int64($0.width.maximum(maximum))) }
        )
        switch try reply.outcome() {
        case "counted": return nil
        case "limited": return try reply.integer(at: 1)
        default: throw .unexpectedReply
        }
    }

    /// Makes clients of a network take the challenge page at once, and solve the hard challenge there, for a while.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func challenge(_ network: NetworkIdentity, milliseconds: Int64) throws(StoreUnavailable) {
        _ = try send("SET", KeyNames.challengedNetwork(network), "1", "PX", String(milliseconds))
    }

    /// Counts a solved challenge once and creates its token in the challenge's shard. Returns false if the challenge
    /// was counted before. For `solvableMilliseconds` the solution could be replayed.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    public func issueChallengeToken(
        _ token: ChallengeTokenIdentity,
        for challenge: ChallengeIdentity,
        solvableMilliseconds: Int64,
        requestID: String,
        project: String,
        holder: String,
        isHard: Bool,
        lifeMilliseconds: Int64
    ) throws(StoreUnavailable) -> Bool {
        let reply = try run(
            Scripts.issueChallengeToken,
            keys: [KeyNames.solvedChallenge(challenge), KeyNames.challengeToken(token)],
            [
                .text(requestID), .integer(solvableMilliseconds), .text(project), .text(holder),
                .integer(lifeMilliseconds), .text(isHard ? "hard" : "ordinary"),
            ]
        )
        return try reply.integer() == 1
    }

    /// Redeems a token (single use). Returns nil if it is invalid for this project and holder, else whether its
    /// challenge was hard.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    public func redeemChallengeToken(
        _ token: ChallengeTokenIdentity,
        requestID: String,
        project: String,
        holder: String,
        memoryMilliseconds: Int64
    ) throws(StoreUnavailable) -> Bool? {
        let reply = try run(
            Scripts.redeemChallengeToken,
            keys: [KeyNames.challengeToken(token)],
            [.text(requestID), .text(project), .text(holder), .integer(memoryMilliseconds)]
        )
        return reply.isNull ? nil : try reply.text() == "hard"
    }
}

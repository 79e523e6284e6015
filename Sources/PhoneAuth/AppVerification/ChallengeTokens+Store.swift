internal import Redis
internal import RedisScripts

extension Store {
    /// Counts a challenge that a client requested, in each of its networks. Returns how many challenges were requested
    /// in the current window before this one, and whether the client must solve the hard challenge. If the client has
    /// several networks, the one that has used the largest part of its allowance decides.
    /// - Throws: ``StoreUnavailable``.
    func countChallenge(
        of networks: ClientNetworks,
        windowMilliseconds: Int64
    ) throws(StoreUnavailable) -> (count: Int, mustBeHard: Bool) {
        let counts = networks.all.map { network in
            ScriptCall(
                .countChallenge,
                keys: ["challengesKey": KeyNames.challenges(network.identity)],
                ["window": .integer(windowMilliseconds)]
            )
        }
        let isChallenged = KeyNames.challengedNetwork(networks.narrowest)
        let replies = try sendAll(counts.map(identifiedCommand) + [Self.command("EXISTS", [isChallenged])])
        var most = 0
        for (network, reply) in zip(networks.all, replies) {
            most = max(most, Int(try reply.integer()) / network.width.allowance)
        }
        return (most, try replies[counts.count].integer() == 1)
    }

    /// Makes clients of a network go straight to the challenge page, and solve the hard challenge there, for a while.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func challenge(_ network: NetworkIdentity, milliseconds: Int64) throws(StoreUnavailable) {
        _ = try send("SET", KeyNames.challengedNetwork(network), "1", "PX", String(milliseconds))
    }

    /// Counts a solved challenge once and creates its token. Returns false if the challenge
    /// was counted before. The solution could be replayed for `solvableMilliseconds`.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    func issueChallengeToken(
        _ token: ChallengeTokenIdentity,
        for challenge: ChallengeIdentity,
        solvableMilliseconds: Int64,
        requestID: String,
        holder: String,
        isHard: Bool,
        lifeMilliseconds: Int64
    ) throws(StoreUnavailable) -> Bool {
        let call = ScriptCall(
            .issueChallengeToken,
            keys: ["solvedKey": KeyNames.solvedChallenge(challenge), "tokenKey": KeyNames.challengeToken(token)],
            [
                "request": .text(requestID),
                "solvableLife": .integer(solvableMilliseconds),
                "holder": .text(holder),
                "tokenLife": .integer(lifeMilliseconds),
                "challenge": isHard ? "hard" : "ordinary",
            ]
        )
        let reply = try run(call)
        return try reply.integer() == 1
    }

    /// Redeems a token (single use). Returns nil if it is invalid for this project and holder, else whether its
    /// challenge was hard.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    func redeemChallengeToken(
        _ token: ChallengeTokenIdentity,
        requestID: String,
        holder: String,
        memoryMilliseconds: Int64
    ) throws(StoreUnavailable) -> Bool? {
        let call = ScriptCall(
            .redeemChallengeToken,
            keys: ["tokenKey": KeyNames.challengeToken(token)],
            [
                "request": .text(requestID),
                "holder": .text(holder),
                "usedLife": .integer(memoryMilliseconds),
            ]
        )
        let reply = try run(call)
        return reply.isNull ? nil : try reply.text() == "hard"
    }
}

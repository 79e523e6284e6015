internal import Redis

extension Store {
    /// How many challenges a network was given in the window that is running, before this one.
    /// - Throws: ``StoreUnavailable``.
    public func countChallenge(of network: NetworkIdentity, windowMilliseconds: Int64) throws(StoreUnavailable) -> Int {
        let count = try run(
            Scripts.countChallenge,
            keys: [KeyNames.challenges(network)],
            [.integer(windowMilliseconds)]
        )
        return Int(try count.integer())
    }

    /// Counts a solved challenge once and makes its token, which lives in the challenge's shard; false where it was counted
    /// before. For `solvableMilliseconds` the challenge could be handed in again.
    /// - Throws: ``StoreUnavailable``; repeating it with the same request id is harmless.
    public func issueChallengeToken(
        _ token: ChallengeTokenIdentity,
        for challenge: ChallengeIdentity,
        solvableMilliseconds: Int64,
        requestID: String,
        project: String,
        holder: String,
        lifeMilliseconds: Int64
    ) throws(StoreUnavailable) -> Bool {
        let reply = try run(
            Scripts.issueChallengeToken,
            keys: [KeyNames.solvedChallenge(challenge), KeyNames.challengeToken(token)],
            [
                .text(requestID), .integer(solvableMilliseconds), .text(project), .text(holder),
                .integer(lifeMilliseconds),
            ]
        )
        return try reply.integer() == 1
    }

    /// Uses a token up; false where there is none for this project and holder.
    /// - Throws: ``StoreUnavailable``; repeating it with the same request id is harmless.
    public func redeemChallengeToken(
        _ token: ChallengeTokenIdentity,
        requestID: String,
        project: String,
        holder: String,
        memoryMilliseconds: Int64
    ) throws(StoreUnavailable) -> Bool {
        let reply = try run(
            Scripts.redeemChallengeToken,
            keys: [KeyNames.challengeToken(token)],
            [.text(requestID), .text(project), .text(holder), .integer(memoryMilliseconds)]
        )
        return try reply.integer() == 1
    }
}

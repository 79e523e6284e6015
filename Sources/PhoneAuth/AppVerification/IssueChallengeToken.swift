internal import Cryptography
public import Encodings
public import RedisScripts

/// A solved challenge, as identified by the verifier of its solution.
public struct SolvedChallenge: Sendable, Confidential {
    /// The unique id of the challenge.
    public let id: [UInt8]
    /// The time for which the same solution could be replayed.
    public let solvableFor: Duration

    /// Whether it was the hard challenge.
    let isHard: Bool

    /// Names a solved challenge.
    public init(id: [UInt8], solvableFor: Duration, isHard: Bool) {
        self.id = id
        self.isHard = isHard
        self.solvableFor = solvableFor
    }
}

/// The required difficulty of a client's next challenge.
public struct ChallengeDemand: Sendable {
    /// The window in which a network's challenges and provider checks are counted. The challenges (fixed window)
    /// decide the difficulty of the next one; the provider checks are rate limited (GCRA).
    static let window: Duration = .seconds(600)

    /// The number of challenges that the client's network received in ``window``.
    public let recentChallenges: Int
    /// Whether only the hard challenge is accepted: sends that the client's network requested are stepped up.
    public let mustBeHard: Bool
}

/// Why a token was not issued for a solved challenge.
public enum IssueChallengeTokenRefusal: StoreRefusal {
    /// The solution was submitted before (replay).
    case alreadyCounted
    case unavailable(StoreUnavailable)
}

extension OperationContext {
    /// Counts a challenge that a client requests, and returns the required difficulty.
    /// - Throws: ``StoreUnavailable``.
    public func countChallenge(from address: String) throws(StoreUnavailable) -> ChallengeDemand {
        let (count, mustBeHard) = try store.countChallenge(
            of: networks(of: address, for: "challenge-network"),
            windowMilliseconds: ChallengeDemand.window.milliseconds
        )
        return ChallengeDemand(recentChallenges: count, mustBeHard: mustBeHard)
    }

    /// Returns the narrowest network of a client, as identified in the counts of challenges.
    func challengedNetwork(of address: String) -> NetworkIdentity {
        NetworkIdentity(ofAddress: address, for: "challenge-network", in: project, keys)
    }

    /// Issues the token of a solved challenge, once.
    /// - Throws: ``IssueChallengeTokenRefusal``.
    public func issueChallengeToken(
        for challenge: SolvedChallenge,
        to holder: ClientApp
    ) throws(IssueChallengeTokenRefusal) -> String {
        let token = ChallengeToken(environment)
        let isNew = try IssueChallengeTokenRefusal.wrapping(
            store.issueChallengeToken(
                token.identity(in: project),
                for: ChallengeIdentity(project: project.id, hash: Base64URL.string(SHA256.hash(challenge.id))),
                solvableMilliseconds: max(.zero, challenge.solvableFor).milliseconds
                    + Policy.workerClockSkew.milliseconds,
                requestID: requestID,
                holder: holder.text,
                isHard: challenge.isHard,
                lifeMilliseconds: ChallengeToken.lifetime.milliseconds
            )
        )
        guard isNew else { throw .alreadyCounted }
        return token.text
    }
}

extension Authenticator {
    /// The keys that authenticate our own challenges, ``KeyFile/symmetricKeyByteCount`` bytes each. The first key
    /// authenticates new challenges; all keys are accepted.
    public var challengeKeys: [[UInt8]] { keys.acceptedCodes.map { $0("challenge-key") } }
}

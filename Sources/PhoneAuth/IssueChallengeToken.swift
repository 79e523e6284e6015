internal import Cryptography
public import Encodings
public import RedisStore

/// A challenge that was solved, as whoever checked the solution names it.
public struct SolvedChallenge: Sendable, Confidential {
    /// What no other challenge has.
    public let id: [UInt8]
    /// How long the same solution could be handed in again.
    public let solvableFor: Duration

    /// Whether it was the hard one.
    public let isHard: Bool

    /// Names a solved challenge.
    public init(id: [UInt8], solvableFor: Duration, isHard: Bool) {
        self.id = id
        self.isHard = isHard
        self.solvableFor = solvableFor
    }
}

/// How hard a client's next challenge is to be.
public struct ChallengeDemand: Sendable {
    /// How many challenges its network was given of late.
    public let recentChallenges: Int
    /// Whether only the hard one will do: sends that its network asked for are stepped up.
    public let mustBeHard: Bool
}

/// Why a solved challenge brought no token.
public enum IssueChallengeTokenRefusal: Error {
    /// The solution was handed in before.
    case alreadyCounted
    case unavailable(StoreUnavailable)
}

extension Authenticator {
    /// The keys that authenticate our own challenges, ``KeyFile/symmetricKeyByteCount`` bytes each. The first makes
    /// them, all are accepted.
    public var challengeKeys: [[UInt8]] { keys.acceptedCodes.map { $0("challenge-key") } }

    /// Counts a challenge that a client asks for, and tells how hard it is to be.
    /// - Throws: ``StoreUnavailable``.
    public func countChallenge(from address: String, in project: Project) throws(StoreUnavailable) -> ChallengeDemand {
        let (count, mustBeHard) = try store.countChallenge(
            of: ClientNetworks(ofAddress: address, for: "challenge-network", in: project, keys, among: store.shards),
            windowMilliseconds: Policy.challengeWindow.milliseconds
        )
        return ChallengeDemand(recentChallenges: count, mustBeHard: mustBeHard)
    }

    /// The narrowest network of a client, as challenges know it.
    func challengedNetwork(of address: String, in project: Project) -> NetworkIdentity {
        NetworkIdentity(ofAddress: address, for: "challenge-network", in: project, keys, among: store.shards)
    }

    /// Makes the token of a solved challenge, once. `requestID` is the front end's name for the request, the same when it
    /// repeats it.
    /// - Throws: ``IssueChallengeTokenRefusal``.
    public func issueChallengeToken(
        for challenge: SolvedChallenge,
        to holder: ChallengeTokenHolder,
        requestID: String,
        in project: Project
    ) throws(IssueChallengeTokenRefusal) -> String {
        let hash = SHA256.hash(challenge.id)
        let identity = ChallengeIdentity(hash: Base64URL.string(hash), shard: store.shards.shard(ofHash: hash))
        let token = ChallengeToken(in: identity.shard, environment)
        let isNew: Bool
        do {
            isNew = try store.issueChallengeToken(
                token.identity,
                for: identity,
                solvableMilliseconds: max(.zero, challenge.solvableFor).milliseconds
                    + Policy.workerClockSkew.milliseconds,
                requestID: requestID,
                project: project.id,
                holder: holder.text,
                isHard: challenge.isHard,
                lifeMilliseconds: Policy.challengeTokenLifetime.milliseconds
            )
        } catch {
            throw .unavailable(error)
        }
        guard isNew else { throw .alreadyCounted }
        return token.text
    }
}

internal import Cryptography
public import Encodings
public import PhoneAuth

/// Makes challenges and checks their solutions, in ALTCHA's open format (version 1), without remembering any.
///
/// The signature covers the hash, and the hash covers salt and number, so the salt can carry what the challenge is bound to: when it expires and
/// what it is for. The salt ends in `&`: without an end, digits could be moved between its last value and the number, and the hash would stay
/// the same.
public struct ProofOfWork: Sendable, Confidential {
    private let hmac: HMAC
    private let lifetimeSeconds: Int64

    /// Makes and checks challenges under one key: all workers of a deployment need the same.
    ///
    /// - Parameters:
    ///   - key: at least 32 unpredictable bytes, used for nothing else.
    ///   - lifetime: how long a challenge can be solved; the hardest takes a slow phone half a minute.
    public init(key: [UInt8], lifetime: Duration = .seconds(300)) {
        precondition(key.count >= 32, "the key of the proof of work is too short")
        hmac = HMAC(.sha256, key: key)
        lifetimeSeconds = max(1, lifetime.components.seconds)
    }

    /// Makes a challenge.
    ///
    /// - Parameters:
    ///   - subject: what it is for.
    ///   - difficulty: how much work it asks for.
    ///   - now: seconds since the Unix epoch.
    ///   - randomBytes: makes so many unpredictable bytes.
    /// - Returns: the challenge; nothing about it needs to be remembered.
    public func challenge(
        for subject: ChallengeSubject,
        difficulty: Difficulty,
        at now: Int64,
        randomBytes: (_ count: Int) -> [UInt8]
    ) -> ProofOfWorkChallenge {
        let drawn = randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let number = Int64(drawn % UInt64(difficulty.maximumNumber + 1))
        let salt = Salt(
            nonce: Hexadecimal.encode(randomBytes(Salt.nonceBytes)),
            expires: now + lifetimeSeconds,
            difficulty: difficulty,
            subject: subject.text
        )
        let challenge = Self.hash(salt.text, number)
        return ProofOfWorkChallenge(
            challenge: challenge,
            maximumNumber: difficulty.maximumNumber,
            salt: salt.text,
            signature: sign(challenge)
        )
    }

    /// Checks a solution.
    ///
    /// - Parameters:
    ///   - solution: base64 of ALTCHA's JSON, as the page posts it.
    ///   - subject: what it has to be for.
    ///   - now: seconds since the Unix epoch.
    /// - Returns: the challenge that is solved; whoever gets it must see to it that each counts once.
    /// - Throws: ``SolutionRefusal``
    public func verify(
        _ solution: String,
        for subject: ChallengeSubject,
        at now: Int64
    ) throws(SolutionRefusal) -> SolvedChallenge {
        guard let solution = Solution(base64: solution), let salt = Salt(solution.salt),
            let signature = Hexadecimal.decode(solution.signature)
        else { throw .malformed }
        guard Self.hash(solution.salt, solution.number) == solution.challenge else { throw .wrongNumber }
        let message = Array(solution.challenge.utf8)
        // Compares in constant time.
        guard hmac.isValidAuthenticationCode(signature, for: message) else {
            throw .forged
        }
        guard now < salt.expires else { throw .expired }
        guard salt.subject == subject.text else { throw .otherSubject }
        return SolvedChallenge(
            id: Array(solution.challenge.utf8),
            solvableFor: .seconds(salt.expires - now),
            isHard: salt.difficulty >= .high
        )
    }

    private func sign(_ challenge: String) -> String {
        Hexadecimal.encode(hmac.authenticationCode(for: Array(challenge.utf8)))
    }

    private static func hash(_ salt: String, _ number: Int64) -> String {
        Hexadecimal.encode(SHA256.hash(Array("\(salt)\(number)".utf8)))
    }
}

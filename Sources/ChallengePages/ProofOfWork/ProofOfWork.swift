internal import Cryptography
public import Encodings
public import PhoneAuth

/// Stateless proof of work: creates challenges and verifies solutions in ALTCHA's open format (version 1).
///
/// The signature covers the hash, and the hash covers salt and number. The salt can therefore carry the challenge's
/// expiry and subject. The salt ends in `&`. Without a terminator, digits could move between its last value and the
/// number while the hash stays the same.
public struct ProofOfWork: Sendable, Confidential {
    private let hmac: HMAC
    private let lifetimeSeconds: Int64

    /// Creates challenges and verifies solutions under one key. All workers of a deployment need the same key.
    ///
    /// - Parameters:
    ///   - key: at least 32 unpredictable bytes, used for nothing else.
    ///   - lifetime: the time in which a challenge can be solved; the hardest takes a slow phone half a minute.
    public init(key: [UInt8], lifetime: Duration = .seconds(300)) {
        precondition(key.count >= 32, "the key of the proof of work is too short")
        hmac = HMAC(.sha256, key: key)
        lifetimeSeconds = max(1, lifetime.components.seconds)
    }

    /// Creates a challenge.
    ///
    /// - Parameters:
    ///   - subject: the purpose of the challenge.
    ///   - difficulty: the amount of work.
    ///   - now: seconds since the Unix epoch.
    ///   - randomBytes: returns the given number of unpredictable bytes.
    /// - Returns: the challenge; it need not be stored.
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

    /// Verifies a solution.
    ///
    /// - Parameters:
    ///   - solution: base64 of ALTCHA's JSON, as the page posts it.
    ///   - subject: the required subject.
    ///   - now: seconds since the Unix epoch.
    /// - Returns: the solved challenge. The caller must reject replays: each challenge counts once.
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
        // This comparison takes constant time.
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

/// The reason why a solution is rejected.
public enum SolutionRefusal: Error, Equatable, CaseIterable {
    /// The solution does not have ALTCHA's form, or is too large.
    case malformed
    /// The number is not the challenge's solution.
    case wrongNumber
    /// The challenge was not issued by this deployment.
    case forged
    case expired
    /// The challenge was issued for another project, app or event.
    case otherSubject
}

/// The purpose that a challenge is bound to. A solution is rejected for any other subject.
public struct ChallengeSubject: Sendable, Hashable {
    /// A hash of the subject's parts in base64url: 128 bits, enough for second-preimage resistance.
    let text: String

    /// Returns the subject of one event of an iOS app, for the challenge page.
    public static func app(projectID: String, bundleID: String, eventID: EventID) -> ChallengeSubject {
        ChallengeSubject(parts: ["app", projectID, bundleID, eventID.text])
    }

    /// Returns the subject of one event of an Android app, for the challenge page.
    public static func androidApp(projectID: String, packageName: String, eventID: EventID) -> ChallengeSubject {
        ChallengeSubject(parts: ["android", projectID, packageName, eventID.text])
    }

    /// Returns the subject of a project's web apps, for `verifier.js`, which has no event.
    public static func web(projectID: String) -> ChallengeSubject {
        ChallengeSubject(parts: ["web", projectID])
    }

    private init(parts: [String]) {
        var message: [UInt8] = []
        for part in parts {
            // Each part is prefixed with its length, so that ("ab", "c") and ("a", "bc") differ.
            withUnsafeBytes(of: UInt32(part.utf8.count).bigEndian) { message += $0 }
            message += part.utf8
        }
        text = Base64URL.string(SHA256.hash(message).prefix(16))
    }
}

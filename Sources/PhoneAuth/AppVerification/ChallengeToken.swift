internal import Cryptography
internal import Encodings

/// The token that the challenge page gives to the app: single use, valid for minutes. Redis stores only its hash.
///
/// Its text is base64url of: format (1 byte) ‖ random bytes (24).
struct ChallengeToken: Sendable, Confidential {
    /// The lifetime of a challenge token.
    static let lifetime: Duration = .seconds(300)

    /// The time for which a used challenge token remembers the request that used it, in case the front end retries the
    /// request.
    static let usedMemory: Duration = .seconds(60)

    private static let format: UInt8 = 1
    private static let randomByteCount = 24

    private let randomBytes: [UInt8]

    /// Creates a token.
    init(_ environment: Environment) {
        randomBytes = environment.randomBytes(Self.randomByteCount)
    }

    /// Parses a token; nil if the text has another format, such as a provider's own token.
    init?(_ text: String) {
        guard var token = TokenReader(text, format: Self.format, atMost: 64),
            let randomBytes = token.field(Self.randomByteCount), token.rest.isEmpty
        else { return nil }
        self.randomBytes = randomBytes
    }

    var text: String {
        var token = TokenWriter(format: Self.format)
        token.append(randomBytes)
        return token.text
    }

    /// Returns the identity of the token in a project.
    func identity(in project: Project) -> ChallengeTokenIdentity {
        ChallengeTokenIdentity(project: project.id, hash: Base64URL.string(SHA256.hash(randomBytes)))
    }
}

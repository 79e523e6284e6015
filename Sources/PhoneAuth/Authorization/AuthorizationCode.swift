internal import Cryptography
internal import Encodings
internal import RedisScripts

/// The one-time code that the sign-in page passes to an app in a URL (RFC 6749 § 1.3.1).
///
/// Its text is base64url of: format (1 byte) ‖ shard of the account (2) ‖ session id (16) ‖ random bytes (32). Redis
/// stores a hash of the random bytes, and no token: the app's refresh token is created when the code is exchanged.
struct AuthorizationCode: Sendable, Confidential {
    /// The time in which an app must exchange its code. The browser passes it on at once.
    static let lifetime: Duration = .seconds(60)

    /// The time for which a used code is remembered, so that its reuse ends the session: the longest life that RFC 6749
    /// § 4.1.2 gives a code.
    static let usedMemory: Duration = .seconds(600)

    private static let format: UInt8 = 1
    private static let secretByteCount = 32

    let shard: Shard
    /// The id of the session whose tokens the code is exchanged for.
    let session: [UInt8]
    private let secret: [UInt8]

    /// Creates a code of a session.
    init(in shard: Shard, session: [UInt8], _ environment: Environment) {
        self.shard = shard
        self.session = session
        secret = environment.randomBytes(Self.secretByteCount)
    }

    /// Parses a code; nil if the text cannot be a code of this deployment.
    init?(_ text: String, _ shards: ShardCount) {
        guard var token = TokenReader(text, format: Self.format, atMost: 96), let shard = token.shard(among: shards),
            let session = token.field(UserSession.idByteCount), let secret = token.field(Self.secretByteCount),
            token.rest.isEmpty
        else { return nil }
        self.shard = shard
        self.session = session
        self.secret = secret
    }

    var text: String {
        var token = TokenWriter(format: Self.format)
        token.append(shard)
        token.append(session)
        token.append(secret)
        return token.text
    }

    /// The hash that Redis stores. The secret is random, so that a plain SHA-256 resists brute force.
    var hash: String { Base64URL.string(SHA256.hash(secret)) }

    func identity(in project: Project) -> UserSessionIdentity {
        UserSessionIdentity(project: project.id, hash: Base64URL.string(session), shard: shard)
    }
}

extension AuthorizationCodeTerms {
    /// Creates the terms of a code: which client gets tokens for it, at which redirect URI, with which secret.
    init(clientID: String, redirectURI: String, challenge: CodeChallenge) {
        self.init(
            clientIDHash: Base64URL.string(SHA256.hash(Array(clientID.utf8))),
            redirectURIHash: Base64URL.string(SHA256.hash(Array(redirectURI.utf8))),
            challenge: challenge.text
        )
    }
}

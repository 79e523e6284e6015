internal import Cryptography
internal import Encodings
internal import RedisStore

/// The token that the challenge page gives to the app: single use, valid for minutes. Redis stores only its hash.
///
/// Its text is base64url of: format (1 byte) ‖ shard (2) ‖ random bytes (24).
struct ChallengeToken: Sendable, Confidential {
    /// The lifetime of a challenge token.
    static let lifetime: Duration = .seconds(300)

    /// The time for which a used challenge token remembers the request that used it, in case the front end retries the
    /// request.
    static let usedMemory: Duration = .seconds(60)

    private static let format: UInt8 = 1
    private static let randomByteCount = 24

    private let shard: Shard
    private let randomBytes: [UInt8]

    /// Creates a token in the shard of its challenge.
    init(in shard: Shard, _ environment: Environment) {
        self.shard = shard
        randomBytes = environment.randomBytes(Self.randomByteCount)
    }

    /// Parses a token; nil if the text has another format, such as a provider's own token.
    init?(_ text: String, _ shards: ShardCount) {
        guard var token = TokenReader(text, format: Self.format, atMost: 64), let shard = token.shard(among: shards),
            let randomBytes = token.field(Self.randomByteCount), token.rest.isEmpty
        else { return nil }
        self.shard = shard
        self.randomBytes = randomBytes
    }

    var text: String {
        var token = TokenWriter(format: Self.format)
        token.append(shard)
        token.append(randomBytes)
        return token.text
    }

    var identity: ChallengeTokenIdentity {
        ChallengeTokenIdentity(hash: Base64URL.string(SHA256.hash(randomBytes)), shard: shard)
    }
}

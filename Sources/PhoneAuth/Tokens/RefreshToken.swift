internal import Crypto
internal import Encodings
internal import RedisStore

/// An opaque refresh token: base64url of format (1 byte) ‖ shard of its account (2) ‖ 32 random bytes.
///
/// Redis holds its hash only. The secret is random, so a plain SHA-256 cannot be searched.
struct RefreshToken: Sendable, Confidential {
    private static let format: UInt8 = 1
    private static let secretByteCount = 32

    let shard: Shard
    private let secret: [UInt8]

    static func make(for account: AccountIdentity, _ environment: Environment) -> RefreshToken {
        RefreshToken(shard: account.shard, secret: environment.randomBytes(secretByteCount))
    }

    /// Reads a token's text; nil where it cannot be one of ours.
    init?(_ text: String, _ shards: ShardCount) {
        guard text.utf8.count <= 64, let bytes = Base64URL.decode(text.utf8), bytes.count == 3 + Self.secretByteCount,
            bytes[0] == Self.format
        else { return nil }
        let shard = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
        guard shard < shards.value else { return nil }
        self.init(shard: Shard(index: shard), secret: Array(bytes[3...]))
    }

    private init(shard: Shard, secret: [UInt8]) {
        self.shard = shard
        self.secret = secret
    }

    var text: String {
        Base64URL.string([Self.format, UInt8(shard.index >> 8), UInt8(shard.index & 0xFF)] + secret)
    }

    func identity(in project: Project) -> RefreshTokenIdentity {
        RefreshTokenIdentity(
            project: project.id,
            hash: Base64URL.string(Array(SHA256.hash(data: secret))),
            shard: shard
        )
    }
}

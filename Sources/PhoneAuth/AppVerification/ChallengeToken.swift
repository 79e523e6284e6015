internal import Cryptography
internal import Encodings
internal import RedisStore

/// What the challenge page hands to the app: good once, for minutes. Redis knows it by its hash.
///
/// Its text is base64url of: format (1 byte) ‖ shard (2) ‖ random bytes (24).
struct ChallengeToken: Sendable, Confidential {
    private static let format: UInt8 = 1
    private static let randomByteCount = 24

    private let shard: Shard
    private let randomBytes: [UInt8]

    /// A new token in the shard of its challenge.
    init(in shard: Shard, _ environment: Environment) {
        self.shard = shard
        randomBytes = environment.randomBytes(Self.randomByteCount)
    }

    /// Reads a token; nil where the text has another form, as a provider's own tokens have.
    init?(_ text: String, _ shards: ShardCount) {
        guard text.utf8.count <= 64, let bytes = Base64URL.decode(text.utf8),
            bytes.count == 3 + Self.randomByteCount, bytes[0] == Self.format
        else { return nil }
        let index = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
        guard index < shards.value else { return nil }
        shard = Shard(index: index)
        randomBytes = Array(bytes[3...])
    }

    var text: String {
        Base64URL.string([Self.format, UInt8(shard.index >> 8), UInt8(shard.index & 0xFF)] + randomBytes)
    }

    var identity: ChallengeTokenIdentity {
        ChallengeTokenIdentity(hash: Base64URL.string(SHA256.hash(randomBytes)), shard: shard)
    }
}

/// Who may use a challenge token. One of another holder is worth nothing.
public enum ChallengeTokenHolder: Hashable, Sendable {
    /// The iOS app with this bundle id.
    case app(bundleID: String)
    /// A web app.
    case web

    /// The name in Redis.
    var text: String {
        switch self {
        case .app(let bundleID): "app:\(bundleID)"
        case .web: "web"
        }
    }
}

internal import Cryptography
internal import Encodings
internal import RedisStore

/// The token that the challenge page gives to the app: single use, valid for minutes. Redis stores only its hash.
///
/// Its text is base64url of: format (1 byte) ‖ shard (2) ‖ random bytes (24).
struct ChallengeToken: Sendable, Confidential {
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

/// The client that may use a challenge token. A token of another holder is rejected.
public enum ChallengeTokenHolder: Hashable, Sendable {
    /// The iOS app with this bundle id.
    case app(bundleID: String)
    /// A web app.
    case web

    /// The holder's name in Redis.
    var text: String {
        switch self {
        case .app(let bundleID): "app:\(bundleID)"
        case .web: "web"
        }
    }
}

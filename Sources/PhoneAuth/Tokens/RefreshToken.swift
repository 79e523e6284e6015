internal import Crypto
internal import Encodings
internal import RedisStore

/// An opaque refresh token: base64url of format (1 byte) ‖ shard of its account (2) ‖ 32 random bytes.
///
/// Redis holds its hash only. The secret is random, so a plain SHA-256 cannot be searched.
///
/// Where tokens rotate, later generations of one have format 2 and add: generation (4) ‖ authenticator (16). They share the
/// secret, and so the place in Redis. The authenticator follows from secret and generation under the server key: a client
/// cannot make the next generation of the one that it has, and a repeated request is given the same one again.
struct RefreshToken: Sendable, Confidential {
    private enum Format {
        static let first: UInt8 = 1
        static let rotated: UInt8 = 2
    }

    private static let headerByteCount = 3
    private static let secretByteCount = 32
    private static let authenticatorByteCount = 16

    let shard: Shard
    /// 0 for the token of the sign-in.
    let generation: UInt32
    private let secret: [UInt8]

    static func make(for account: AccountIdentity, _ environment: Environment) -> RefreshToken {
        RefreshToken(shard: account.shard, generation: 0, secret: environment.randomBytes(secretByteCount))
    }

    /// Reads a token's text; nil where it cannot be one of ours for this project.
    init?(_ text: String, in project: Project, _ keys: ServerKeys, _ shards: ShardCount) {
        guard text.utf8.count <= 96, let bytes = Base64URL.decode(text.utf8), bytes.count > Self.headerByteCount else {
            return nil
        }
        let shard = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
        guard shard < shards.value else { return nil }
        let secret = Array(bytes[Self.headerByteCount...].prefix(Self.secretByteCount))
        let rest = bytes.dropFirst(Self.headerByteCount + Self.secretByteCount)
        switch bytes[0] {
        case Format.first:
            guard secret.count == Self.secretByteCount, rest.isEmpty else { return nil }
            self.init(shard: Shard(index: shard), generation: 0, secret: secret)
        case Format.rotated:
            guard rest.count == 4 + Self.authenticatorByteCount else { return nil }
            let generation = rest.prefix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            self.init(shard: Shard(index: shard), generation: generation, secret: secret)
            guard generation > 0, equalInConstantTime(Array(rest.dropFirst(4)), authenticator(in: project, keys)) else {
                return nil
            }
        default:
            return nil
        }
    }

    /// Whether a text has the form of a refresh token of any project or deployment, so that it may have been good once.
    static func isWellFormed(_ text: String) -> Bool {
        guard text.utf8.count <= 96, let bytes = Base64URL.decode(text.utf8), let format = bytes.first else {
            return false
        }
        let firstByteCount = headerByteCount + secretByteCount
        switch format {
        case Format.first: return bytes.count == firstByteCount
        case Format.rotated: return bytes.count == firstByteCount + 4 + authenticatorByteCount
        default: return false
        }
    }

    private init(shard: Shard, generation: UInt32, secret: [UInt8]) {
        self.shard = shard
        self.generation = generation
        self.secret = secret
    }

    /// The same token in another generation.
    func generation(_ generation: UInt32) -> RefreshToken {
        RefreshToken(shard: shard, generation: generation, secret: secret)
    }

    func text(in project: Project, _ keys: ServerKeys) -> String {
        let format = generation == 0 ? Format.first : Format.rotated
        let first = [format, UInt8(shard.index >> 8), UInt8(shard.index & 0xFF)] + secret
        guard generation > 0 else { return Base64URL.string(first) }
        return Base64URL.string(first + generationBytes + authenticator(in: project, keys))
    }

    func identity(in project: Project) -> RefreshTokenIdentity {
        RefreshTokenIdentity(
            project: project.id,
            hash: Base64URL.string(Array(SHA256.hash(data: secret))),
            shard: shard
        )
    }

    private var generationBytes: [UInt8] {
        withUnsafeBytes(of: generation.bigEndian) { Array($0) }
    }

    private func authenticator(in project: Project, _ keys: ServerKeys) -> [UInt8] {
        let hash = keys.codes("refresh-token", .text(project.id), .bytes(secret), .bytes(generationBytes))
        return Array(hash.prefix(Self.authenticatorByteCount))
    }
}

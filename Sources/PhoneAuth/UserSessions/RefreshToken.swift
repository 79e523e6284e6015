internal import Cryptography
internal import Encodings
internal import RedisScripts

/// An opaque refresh token: base64url of format (1 byte) ‖ shard of its account (2) ‖ session id (16) ‖ 32 secret
/// bytes.
///
/// Redis stores a hash of the secret, in the session's record. The secret is unpredictable, so a plain SHA-256 resists
/// brute force.
///
/// If tokens rotate, later generations have format 2 and add: generation (4) ‖ authenticator (16). All generations
/// share session and secret. The authenticator is derived from secret and generation under the server key. So a client
/// cannot forge the next generation, and a retried request receives the same next generation.
struct RefreshToken: Sendable, Confidential {
    private enum Format: UInt8 {
        case first = 1
        case rotated = 2

        /// The length of a token of this format, before base64url.
        var byteCount: Int {
            headerByteCount + UserSession.idByteCount + secretByteCount
                + (self == .rotated ? generationByteCount + authenticatorByteCount : 0)
        }
    }

    private static let maximumByteCount = 96

    private static let headerByteCount = 3
    private static let secretByteCount = 32
    private static let generationByteCount = 4
    private static let authenticatorByteCount = 16

    let shard: Shard
    /// The generation; 0 for the token of the sign-in.
    let generation: UInt32
    /// The session id.
    private let session: [UInt8]
    private let secret: [UInt8]

    /// Creates a token of a new session of an account, or of the session that continues; the same token if the client
    /// repeats the request under its key.
    static func make(
        for account: AccountIdentity,
        continuing session: String? = nil,
        in operation: OperationContext
    ) -> RefreshToken {
        let continued = session.flatMap { Base64URL.decode($0.utf8) }
        return RefreshToken(
            shard: account.shard,
            generation: 0,
            session: continued ?? operation.repeatableBytes(UserSession.idByteCount, "session", account.uid),
            secret: operation.repeatableBytes(secretByteCount, "refresh-token-of", account.uid)
        )
    }

    /// Creates a token of the session with this id.
    static func make(in shard: Shard, session: [UInt8], _ environment: Environment) -> RefreshToken {
        RefreshToken(
            shard: shard,
            generation: 0,
            session: session,
            secret: environment.randomBytes(secretByteCount)
        )
    }

    /// Returns the token of the session that takes over a Firebase session: the same one for the same Firebase token.
    /// Only this server can derive it.
    static func takingOver(
        _ firebaseToken: String,
        of account: AccountIdentity,
        in project: Project,
        _ keys: ServerKeys
    ) -> RefreshToken {
        let session = keys.codes("firebase-session", .text(project.id), .text(firebaseToken))
        return RefreshToken(
            shard: account.shard,
            generation: 0,
            session: Array(session.prefix(UserSession.idByteCount)),
            secret: keys.codes("firebase-refresh-token", .text(project.id), .text(firebaseToken))
        )
    }

    /// Parses a token; nil if it cannot have been issued for this project.
    init?(_ text: String, in project: Project, _ keys: ServerKeys, _ shards: ShardCount) {
        guard case (let format, var token)? = Self.wellFormed(text), let shard = token.shard(among: shards),
            let session = token.field(UserSession.idByteCount), let secret = token.field(Self.secretByteCount),
            let generation = format == .rotated ? token.number(UInt32.self) : 0
        else { return nil }
        self.init(shard: shard, generation: generation, session: session, secret: secret)
        guard format == .first || generation > 0 && isAuthentic(Array(token.rest), in: project, keys) else {
            return nil
        }
    }

    /// Returns whether a text has the format of a refresh token of any project or deployment, and so may once have been
    /// valid.
    static func isWellFormed(_ text: String) -> Bool { wellFormed(text) != nil }

    /// Returns the format of a token of the correct length, and a reader of the fields after the format.
    private static func wellFormed(_ text: String) -> (Format, TokenReader)? {
        guard var token = TokenReader(text, atMost: maximumByteCount),
            let format = token.number(UInt8.self).flatMap(Format.init), token.byteCount == format.byteCount
        else { return nil }
        return (format, token)
    }

    private init(shard: Shard, generation: UInt32, session: [UInt8], secret: [UInt8]) {
        self.shard = shard
        self.generation = generation
        self.session = session
        self.secret = secret
    }

    /// Returns the same token in another generation.
    func generation(_ generation: UInt32) -> RefreshToken {
        RefreshToken(shard: shard, generation: generation, session: session, secret: secret)
    }

    /// Returns the token that replaces this one after a change by its own session. Only this server can derive it.
    func renewed(in project: Project, _ keys: ServerKeys) -> RefreshToken {
        let secret = keys.codes("renewed-refresh-token", .text(project.id), .bytes(secret))
        return RefreshToken(shard: shard, generation: 0, session: session, secret: Array(secret))
    }

    func text(in project: Project, _ keys: ServerKeys) -> String {
        let format = generation > 0 ? Format.rotated : .first
        var token = TokenWriter(format: format.rawValue)
        token.append(shard)
        token.append(session)
        token.append(secret)
        if generation > 0 {
            token.append(generation)
            token.append(authenticator(in: project, keys.codes))
        }
        return token.text
    }

    func identity(in project: Project) -> UserSessionIdentity {
        UserSessionIdentity(project: project.id, hash: Base64URL.string(session), shard: shard)
    }

    /// The hash of the secret in the session's record.
    var secretHash: String { Base64URL.string(SHA256.hash(secret)) }

    /// The initial revocation counter of an account whose first tokens the token's sign-in issues.
    var firstRevocation: Int64 { RevocationCounter.start(session) }

    private var generationBytes: [UInt8] {
        withUnsafeBytes(of: generation.bigEndian) { Array($0) }
    }

    /// Returns whether the authenticator is valid under any accepted generation of the server key.
    private func isAuthentic(_ authenticator: [UInt8], in project: Project, _ keys: ServerKeys) -> Bool {
        keys.acceptedCodes.contains { equalInConstantTime(authenticator, self.authenticator(in: project, $0)) }
    }

    private func authenticator(in project: Project, _ codes: KeyedHash) -> [UInt8] {
        let hash = codes("refresh-token", .text(project.id), .bytes(secret), .bytes(generationBytes))
        return Array(hash.prefix(Self.authenticatorByteCount))
    }
}

/// The number of times that an account's tokens were revoked. It starts with the account's first tokens. ID tokens and
/// sessions carry the counter's value at the time of issue.
enum RevocationCounter {
    /// Returns an account's initial counter: a random number between 2⁴⁸ and 2⁴⁹. An earlier account with the same uid
    /// never had this value, so its tokens are not valid for the new account. All JSON parsers represent such a number
    /// exactly.
    static func start(_ randomBytes: [UInt8]) -> Int64 {
        randomBytes.prefix(6).reduce(1) { $0 << 8 | Int64($1) }
    }
}

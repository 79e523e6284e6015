internal import Cryptography
public import Encodings
public import RedisStore

/// A token of an administrator's: `dta_` and base64url of 32 random bytes.
///
/// Redis holds its hash only. The secret is random, so a plain SHA-256 cannot be searched.
struct AdminToken: Sendable, Confidential {
    private static let prefix = "dta_"
    private static let secretByteCount = 32

    private let secret: [UInt8]

    static func make(_ environment: Environment) -> AdminToken {
        AdminToken(secret: environment.randomBytes(secretByteCount))
    }

    /// Reads a token's text; nil where it cannot be one.
    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let secret = Base64URL.decode(text.utf8.dropFirst(Self.prefix.utf8.count)),
            secret.count == Self.secretByteCount
        else { return nil }
        self.secret = secret
    }

    private init(secret: [UInt8]) {
        self.secret = secret
    }

    var text: String { Self.prefix + Base64URL.string(secret) }

    var hash: String { Base64URL.string(SHA256.hash(secret)) }
}

/// A token that was just made. Nobody can read it again.
public struct NewAdminToken: Sendable, Confidential {
    /// What goes behind `Authorization: Bearer`.
    public let text: String
    /// What lists call it.
    public let id: String
}

/// A token as lists show it.
public struct AdminTokenDescription: Sendable {
    /// Hexadecimal, the start of its hash.
    public let id: String
    /// What the operator calls it.
    public let name: String
    /// What it may do.
    public let access: AdminAccess
    /// When it was made.
    public let createdAt: Instant
    /// When its time is up.
    public let expiresAt: Instant
}

/// What operators do to admin tokens.
extension Authenticator {
    private static let idByteCount = 6

    /// Makes a token for a project. Tokens of the deployment whose time is up go at this occasion.
    /// - Throws: ``StoreUnavailable``.
    public func createAdminToken(
        _ name: String,
        _ access: AdminAccess,
        lifetime: Duration,
        in project: Project
    ) throws(StoreUnavailable) -> NewAdminToken {
        let now = environment.now()
        try store.removeAdminTokens(
            try store.adminTokens().filter { $0.value.expiresAt <= now.milliseconds }.map(\.key)
        )
        let token = AdminToken.make(environment)
        try store.setAdminToken(
            token.hash,
            AdminTokenRecord(
                project: project.id,
                access: access.rawValue,
                name: name,
                createdAt: now.milliseconds,
                expiresAt: (now + lifetime).milliseconds
            )
        )
        return NewAdminToken(text: token.text, id: Self.adminTokenID(token.hash))
    }

    /// A project's tokens, the oldest first.
    /// - Throws: ``StoreUnavailable``.
    public func adminTokens(of project: Project) throws(StoreUnavailable) -> [AdminTokenDescription] {
        try store.adminTokens().compactMap { hash, record in
            guard record.project == project.id, let access = AdminAccess(rawValue: record.access) else { return nil }
            return AdminTokenDescription(
                id: Self.adminTokenID(hash),
                name: record.name,
                access: access,
                createdAt: Instant(milliseconds: record.createdAt),
                expiresAt: Instant(milliseconds: record.expiresAt)
            )
        }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// Ends a project's token at once; false where there is none of that id.
    /// - Throws: ``StoreUnavailable``.
    public func revokeAdminToken(id: String, of project: Project) throws(StoreUnavailable) -> Bool {
        let hashes = try store.adminTokens().filter {
            $0.value.project == project.id && Self.adminTokenID($0.key) == id
        }.map(
            \.key
        )
        try store.removeAdminTokens(hashes)
        return !hashes.isEmpty
    }

    /// Base64url may begin with a dash, which is an option's on a command line.
    static func adminTokenID(_ hash: String) -> String {
        Hexadecimal.encode((Base64URL.decode(hash.utf8) ?? []).prefix(idByteCount))
    }
}

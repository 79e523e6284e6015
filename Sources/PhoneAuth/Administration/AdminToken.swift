internal import Cryptography
public import Encodings
public import RedisScripts

/// An administrator's token: `dta_` and base64url of 32 random bytes.
///
/// Redis stores only its hash. The secret is random, so a plain SHA-256 withstands a guessing attack.
struct AdminToken: Sendable, Confidential {
    private static let prefix = "dta_"
    private static let secretByteCount = 32
    private static let idByteCount = 6

    private let secret: [UInt8]

    static func make(_ environment: Environment) -> AdminToken {
        AdminToken(secret: environment.randomBytes(secretByteCount))
    }

    /// Reads a token's text; nil if it is malformed.
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

    /// Returns a token's id. Hexadecimal, because base64url may begin with a dash, which a command line takes for an
    /// option.
    static func id(ofHash hash: String) -> String {
        Hexadecimal.encode((Base64URL.decode(hash.utf8) ?? []).prefix(idByteCount))
    }
}

/// A newly created token. Its text is shown only once.
public struct NewAdminToken: Sendable, Confidential {
    /// The lifetimes that an admin token may have, in days.
    public static let lifetimeDays = 1...3650

    /// The credential for `Authorization: Bearer`.
    public let text: String
    /// The token's id in lists.
    public let id: String
}

/// A token as lists show it.
public struct AdminTokenDescription: Sendable {
    /// The first bytes of its hash in hexadecimal.
    public let id: String
    /// The operator's name for it.
    public let name: String
    /// The granted access.
    public let access: AdminAccess
    /// When it was created.
    public let createdAt: Instant
    /// When it expires.
    public let expiresAt: Instant
}

/// The operators' management of admin tokens.
extension OperationContext {
    /// Creates a token for a project and removes all expired tokens of the deployment.
    /// - Throws: ``StoreUnavailable``.
    public func createAdminToken(
        _ name: String,
        _ access: AdminAccess,
        lifetime: Duration
    ) throws(StoreUnavailable) -> NewAdminToken {
        let expired = try store.adminTokens().filter { $0.value.expiresAt <= now.milliseconds }.map(\.key)
        if !expired.isEmpty { try store.removeAdminTokens(expired) }
        let token = AdminToken.make(environment)
        let id = AdminToken.id(ofHash: token.hash)
        try recordChange("admin-tokens create \(id) \(access.rawValue) until \((now + lifetime).utc): \(name)")
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
        return NewAdminToken(text: token.text, id: AdminToken.id(ofHash: token.hash))
    }

    /// Returns a project's tokens, the oldest first.
    /// - Throws: ``StoreUnavailable``.
    public func adminTokens() throws(StoreUnavailable) -> [AdminTokenDescription] {
        try store.adminTokens().compactMap { hash, record in
            guard record.project == project.id, let access = AdminAccess(rawValue: record.access) else { return nil }
            return AdminTokenDescription(
                id: AdminToken.id(ofHash: hash),
                name: record.name,
                access: access,
                createdAt: Instant(milliseconds: record.createdAt),
                expiresAt: Instant(milliseconds: record.expiresAt)
            )
        }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// Revokes a project's token at once; returns false if no token has that id.
    /// - Throws: ``StoreUnavailable``.
    public func revokeAdminToken(id: String) throws(StoreUnavailable) -> Bool {
        let hashes = try store.adminTokens()
            .filter { $0.value.project == project.id && AdminToken.id(ofHash: $0.key) == id }
            .map(\.key)
        guard !hashes.isEmpty else { return false }
        try recordChange("admin-tokens revoke \(id)")
        try store.removeAdminTokens(hashes)
        return true
    }
}

extension Authenticator {
    /// Authenticates an administrator by a bearer credential (RFC 6750 § 2.1).
    /// - Throws: ``AdminRefusal``.
    public func administrator(bearing credential: String) throws(AdminRefusal) -> Administrator {
        let now = environment.now()
        if let token = AdminAccessToken(credential, keys) {
            guard now.seconds < token.expiresAt else { throw .credentialInvalid }
            return Administrator(serviceAccount: token.mark)
        }
        guard let token = AdminToken(credential) else { throw .credentialInvalid }
        let record = try AdminRefusal.wrapping(store.adminToken(token.hash))
        guard let record, now.milliseconds < record.expiresAt else { throw .credentialInvalid }
        return try Administrator(token: record, id: AdminToken.id(ofHash: token.hash))
    }
}

/// An access token granted for a service account's assertion, valid for an hour: `dts_`, then base64url of its content
/// and of an authenticator under the server key. Stateless: the server stores nothing. Its access is that of the
/// service account when the token is used.
struct AdminAccessToken: Sendable, Confidential {
    /// The lifetime of an access token that was granted to a service account.
    static let lifetime: Duration = .seconds(3600)

    private static let prefix = "dts_"
    private static let maximumByteCount = 1024

    /// The service account's ``ServiceAccount/mark``.
    let mark: String
    /// Seconds since the Unix epoch.
    let expiresAt: Int64

    init(mark: String, expiresAt: Int64) {
        self.mark = mark
        self.expiresAt = expiresAt
    }

    /// Reads a token's text; nil if this deployment did not make it.
    init?(_ text: String, _ keys: ServerKeys) {
        let parts = text.utf8.dropFirst(Self.prefix.utf8.count)
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.hasPrefix(Self.prefix), text.utf8.count <= Self.maximumByteCount, parts.count == 2,
            let content = Base64URL.decode(parts[0]), let authenticator = Base64URL.decode(parts[1]),
            keys.acceptedCodes.contains(where: { equalInConstantTime(authenticator, Self.authenticator(content, $0)) }),
            let fields = JSONObject(parsing: content), let mark = fields["account"]?.text,
            let expiresAt = fields["expires"]?.integer
        else { return nil }
        self.init(mark: mark, expiresAt: expiresAt)
    }

    func text(_ keys: ServerKeys) -> String {
        let content = JSONWriter.object { json in
            json.member("account", mark)
            json.member("expires", expiresAt)
        }
        return Self.prefix + Base64URL.string(content) + "." + Base64URL.string(Self.authenticator(content, keys.codes))
    }

    private static func authenticator(_ content: [UInt8], _ codes: KeyedHash) -> [UInt8] {
        codes("admin-access-token", .bytes(content))
    }
}

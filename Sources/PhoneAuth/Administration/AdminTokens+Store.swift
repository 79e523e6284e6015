internal import Encodings
internal import Redis
public import RedisScripts

/// The record of an admin token. Times are milliseconds since the Unix epoch.
public struct AdminTokenRecord: Sendable, Equatable {
    /// The project that the token is for.
    public let project: String
    /// The token's access rights.
    public let access: String
    /// The name that the operator gave the token.
    public let name: String
    /// When the token was created.
    public let createdAt: Int64
    /// When the token expires.
    public let expiresAt: Int64

    /// Describes a token.
    public init(project: String, access: String, name: String, createdAt: Int64, expiresAt: Int64) {
        self.project = project
        self.access = access
        self.name = name
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    var text: [UInt8] {
        JSONWriter.object { json in
            json.member("project", project)
            json.member("access", access)
            json.member("name", name)
            json.member("created", createdAt)
            json.member("expires", expiresAt)
        }
    }

    init?(text: [UInt8]) {
        guard case .object(let fields) = try? JSONValue.parse(text), case .string(let project) = fields["project"],
            case .string(let access) = fields["access"], case .string(let name) = fields["name"],
            case .number(let created) = fields["created"], let createdAt = Int64(created),
            case .number(let expires) = fields["expires"], let expiresAt = Int64(expires)
        else { return nil }
        self.init(project: project, access: access, name: name, createdAt: createdAt, expiresAt: expiresAt)
    }
}

/// Admin tokens, identified by the hash of their secret.
extension Store {
    /// Returns the token with this hash, or nil if it does not exist.
    /// - Throws: ``StoreUnavailable``.
    public func adminToken(_ hash: String) throws(StoreUnavailable) -> AdminTokenRecord? {
        let reply = try send("HGET", KeyNames.adminTokens, hash)
        return reply.isNull ? nil : AdminTokenRecord(text: Array(try reply.text().utf8))
    }

    /// Returns all tokens of the deployment by their hashes.
    /// - Throws: ``StoreUnavailable``.
    public func adminTokens() throws(StoreUnavailable) -> [String: AdminTokenRecord] {
        try send("HGETALL", KeyNames.adminTokens).fields(from: 0).dictionary
            .compactMapValues { AdminTokenRecord(text: $0) }
    }

    /// Stores a token.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func setAdminToken(_ hash: String, _ token: AdminTokenRecord) throws(StoreUnavailable) {
        _ = try sendConfirmed("HSET", [KeyNames.adminTokens, hash, String(decoding: token.text, as: UTF8.self)])
    }

    /// Deletes tokens. Tokens that do not exist are ignored. Without tokens, confirms earlier deletions, because the
    /// caller may repeat one that replicas did not confirm.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func removeAdminTokens(_ hashes: [String]) throws(StoreUnavailable) {
        guard !hashes.isEmpty else { return try confirmAllWrites(inSlotsOf: [KeyNames.adminTokens]) }
        _ = try sendConfirmed("HDEL", [KeyNames.adminTokens] + hashes)
    }
}

internal import Encodings
internal import Redis

/// What is known of an admin token. Times are milliseconds since the Unix epoch.
public struct AdminTokenRecord: Sendable, Equatable {
    /// The project that it is for.
    public let project: String
    /// What it may do.
    public let access: String
    /// What the operator calls it.
    public let name: String
    /// When it was made.
    public let createdAt: Int64
    /// When its time is up.
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

/// Admin tokens, known by the hash of their secret.
extension Store {
    /// The token of this hash; nil where there is none.
    /// - Throws: ``StoreUnavailable``.
    public func adminToken(_ hash: String) throws(StoreUnavailable) -> AdminTokenRecord? {
        let reply = try send("HGET", KeyNames.adminTokens, hash)
        return reply.isNull ? nil : AdminTokenRecord(text: Array(try reply.text().utf8))
    }

    /// All tokens of the deployment by their hashes.
    /// - Throws: ``StoreUnavailable``.
    public func adminTokens() throws(StoreUnavailable) -> [String: AdminTokenRecord] {
        try send("HGETALL", KeyNames.adminTokens).fields(from: 0).dictionary
            .compactMapValues { AdminTokenRecord(text: $0) }
    }

    /// Keeps a token.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func setAdminToken(_ hash: String, _ token: AdminTokenRecord) throws(StoreUnavailable) {
        _ = try send("HSET", KeyNames.adminTokens, hash, String(decoding: token.text, as: UTF8.self))
    }

    /// Ends tokens; those that are gone already do not matter.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func removeAdminTokens(_ hashes: [String]) throws(StoreUnavailable) {
        guard !hashes.isEmpty else { return }
        _ = try send("HDEL", [KeyNames.adminTokens] + hashes)
    }
}

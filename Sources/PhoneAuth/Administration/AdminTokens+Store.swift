internal import RedisScripts

/// Admin tokens, identified by the hash of their secret.
extension Store {
    /// Returns the token with this hash, or nil if it does not exist.
    /// - Throws: ``StoreUnavailable``.
    func adminToken(_ hash: String) throws(StoreUnavailable) -> AdminTokenRecord? {
        let reply = try send("HGET", KeyNames.adminTokens, hash)
        return reply.isNull ? nil : AdminTokenRecord(text: Array(try reply.text().utf8))
    }

    /// Returns all tokens of the deployment by their hashes.
    /// - Throws: ``StoreUnavailable``.
    func adminTokens() throws(StoreUnavailable) -> [String: AdminTokenRecord] {
        try send("HGETALL", KeyNames.adminTokens).fields(from: 0).dictionary
            .compactMapValues { AdminTokenRecord(text: $0) }
    }

    /// Stores a token.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func setAdminToken(_ hash: String, _ token: AdminTokenRecord) throws(StoreUnavailable) {
        let text = String(decoding: token.text, as: UTF8.self)
        _ = try send("HSET", [KeyNames.adminTokens, hash, text], isConfirmed: true)
    }

    /// Deletes tokens. Tokens that do not exist are ignored. Without tokens, confirms earlier deletions, because the
    /// caller may repeat one that replicas did not confirm.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func removeAdminTokens(_ hashes: [String]) throws(StoreUnavailable) {
        guard !hashes.isEmpty else { return try confirmAllWrites(inSlotsOf: [KeyNames.adminTokens]) }
        _ = try send("HDEL", [KeyNames.adminTokens] + hashes, isConfirmed: true)
    }
}

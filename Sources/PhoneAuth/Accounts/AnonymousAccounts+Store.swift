internal import RedisScripts

extension Store {
    /// Returns anonymous accounts of a project that may not have been used since a time (milliseconds since the Unix
    /// epoch): the least recently used ones, at most `limit` per shard.
    /// - Throws: ``StoreUnavailable``.
    func anonymousAccounts(
        of project: String,
        in shards: [Shard],
        unusedSince time: Int64,
        atMostOfEachShard limit: Int
    ) throws(StoreUnavailable) -> [AccountIdentity] {
        let replies = try sendAll(
            "ZRANGEBYSCORE",
            shards.map { [KeyNames.anonymousUsers($0, project), "-inf", "(\(time)", "LIMIT", "0", String(limit)] }
        )
        var accounts: [AccountIdentity] = []
        for reply in replies {
            accounts += try reply.texts().map { AccountIdentity(project: project, uid: $0, among: self.shards) }
        }
        return accounts
    }

    /// Deletes accounts that are anonymous and were last used before a time (milliseconds since the Unix epoch), each
    /// in one atomic step and all in one round trip.
    /// - Returns: for each deleted account the identifiers to release; nil for the others.
    /// - Throws: ``StoreUnavailable``; then any of them may have been deleted, and a retry is harmless.
    func deleteAnonymousAccounts(
        _ accounts: [AccountIdentity],
        unusedSince time: Int64,
        requestID: String,
        markMilliseconds: Int64,
        audit: AuditContext?
    ) throws(StoreUnavailable) -> [[HeldIdentifier]?] {
        let replies = try run(
            accounts.map {
                ScriptCall(
                    deleting: $0,
                    ifUnusedSince: time,
                    requestID: requestID,
                    markMilliseconds: markMilliseconds,
                    audit: audit
                )
            }
        )
        var released: [[HeldIdentifier]?] = []
        for (account, reply) in zip(accounts, replies) {
            switch try reply.outcome() {
            case "deleted": released.append(try HeldIdentifier.list(try reply.reply(at: 1), uid: account.uid))
            case "kept", "no-account": released.append(nil)
            default: throw .unexpectedReply
            }
        }
        return released
    }
}

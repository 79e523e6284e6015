internal import Redis

extension Store {
    /// An account, or nil where there is none.
    /// - Throws: ``StoreUnavailable``.
    public func account(_ account: AccountIdentity) throws(StoreUnavailable) -> AccountRecord? {
        AccountRecord(fields: try send("HGETALL", KeyNames.user(account)).fields(from: 0))
    }

    /// The uids of all accounts of a project in one shard, in their lexical order.
    /// - Throws: ``StoreUnavailable``.
    public func accounts(of project: String, in shard: Shard) throws(StoreUnavailable) -> [String] {
        try send("ZRANGE", KeyNames.users(shard, project), "0", "-1").texts()
    }

    /// Deletes an account in one atomic step. Its refresh tokens find it gone and end by themselves; a sign-in that is on its
    /// way to it from a number, within `markMilliseconds`, does not bring it back.
    /// - Returns: the identifiers that are to let go of it; nil where there was no account.
    /// - Throws: ``StoreUnavailable``; repeating it with the same request id is harmless.
    public func deleteAccount(
        _ account: AccountIdentity,
        requestID: String,
        markMilliseconds: Int64,
        audit: AuditContext?
    ) throws(StoreUnavailable) -> [HeldIdentifier]? {
        let reply = try run(
            Scripts.deleteAccount,
            isConfirmed: true,
            keys: [
                KeyNames.user(account),
                KeyNames.users(account.shard, account.project),
                KeyNames.refreshTokens(account),
                KeyNames.deletedUser(account),
                KeyNames.refreshTokenPrefix(account.shard, account.project),
            ],
            [.text(account.uid), .integer(markMilliseconds), .text(requestID)],
            audit: audit,
            in: account.shard
        )
        switch try reply.outcome() {
        case "no-account":
            return nil
        case "deleted":
            return try HeldIdentifier.list(try reply.reply(at: 1), uid: account.uid)
        default:
            throw .unexpectedReply
        }
    }
}

internal import Redis

/// What the script `delete-account.lua` did.
public enum AccountDeletion: Sendable {
    /// These identifiers are to be released from the account.
    case deleted([HeldIdentifier])
    case noAccount
    /// The ID token was revoked; nothing was changed.
    case tokenRevoked
}

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

    /// Deletes an account in one atomic step. Its sessions end; a sign-in that is on its
    /// way to it from a number, within `markMilliseconds`, does not bring it back.
    /// - Throws: ``StoreUnavailable``; repeating it with the same request id is harmless.
    public func deleteAccount(
        _ account: AccountIdentity,
        onBehalfOf token: PresentedToken? = nil,
        requestID: String,
        markMilliseconds: Int64,
        audit: AuditContext?
    ) throws(StoreUnavailable) -> AccountDeletion {
        let call = ScriptCall(
            deleting: account,
            onBehalfOf: token,
            requestID: requestID,
            markMilliseconds: markMilliseconds,
            audit: audit
        )
        let reply = try run(Scripts.deleteAccount, isConfirmed: true, call)
        switch try reply.outcome() {
        case "no-account": return .noAccount
        case "revoked": return .tokenRevoked
        case "deleted": return .deleted(try HeldIdentifier.list(try reply.reply(at: 1), uid: account.uid))
        default: throw .unexpectedReply
        }
    }
}

extension ScriptCall {
    /// A call of `delete-account.lua`. With a time in milliseconds since the Unix epoch, only an anonymous account is
    /// deleted that was last used before it.
    init(
        deleting account: AccountIdentity,
        ifUnusedSince time: Int64? = nil,
        onBehalfOf token: PresentedToken? = nil,
        requestID: String,
        markMilliseconds: Int64,
        audit: AuditContext?
    ) {
        self.init(
            keys: [
                KeyNames.user(account),
                KeyNames.users(account.shard, account.project),
                KeyNames.userSessions(account),
                KeyNames.deletedUser(account),
                KeyNames.userSessionPrefix(account.shard, account.project),
            ],
            arguments: [
                .text(account.uid), .integer(markMilliseconds), .text(requestID), time.map { .integer($0) } ?? "",
            ],
            onBehalfOf: token,
            of: account,
            audit: audit
        )
    }
}

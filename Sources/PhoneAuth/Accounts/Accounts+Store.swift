internal import Redis
internal import RedisScripts

/// The result of the script `delete-account.lua`.
public enum AccountDeletion: Sendable {
    /// The account was deleted; these identifiers must be released.
    case deleted([HeldIdentifier])
    /// There is no account, or none that the request may delete.
    case noAccount
    /// The ID token was revoked; nothing was changed.
    case tokenRevoked
}

extension Store {
    /// Returns an account, or nil if it does not exist.
    /// - Throws: ``StoreUnavailable``.
    func account(_ account: AccountIdentity) throws(StoreUnavailable) -> AccountRecord? {
        AccountRecord(fields: try send("HGETALL", KeyNames.user(account)).fields(from: 0))
    }

    /// Deletes an account in one atomic step and ends its sessions. A concurrent sign-in with a number cannot recreate
    /// the account within `markMilliseconds`. If `creationID` is given, the account is deleted only if the creation
    /// with this request id made it, and no one has signed in to it or changed it since. With `givingUp`, a delayed
    /// call of that creation does not create it within `markMilliseconds`, even if it does not exist yet.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    func deleteAccount(
        _ account: AccountIdentity,
        ifMadeBy creationID: String? = nil,
        givingUp: Bool = false,
        onBehalfOf token: PresentedToken? = nil,
        requestID: String,
        markMilliseconds: Int64,
        audit: AuditContext?
    ) throws(StoreUnavailable) -> AccountDeletion {
        let call = ScriptCall(
            deleting: account,
            ifMadeBy: creationID,
            givingUp: givingUp,
            onBehalfOf: token,
            requestID: requestID,
            markMilliseconds: markMilliseconds,
            audit: audit
        )
        let reply = try run(call, isConfirmed: true)
        switch try reply.outcome() {
        case "no-account", "kept": return .noAccount
        case "revoked": return .tokenRevoked
        case "deleted": return .deleted(try HeldIdentifier.list(try reply.reply(at: 1), uid: account.uid))
        default: throw .unexpectedReply
        }
    }
}

extension ScriptCall {
    /// Creates a call of `delete-account.lua`. If a time is given (milliseconds since the Unix epoch), the account is
    /// deleted only if it is anonymous and was last used before that time; if a creation's request id is given, only if
    /// that creation made it.
    init(
        deleting account: AccountIdentity,
        ifUnusedSince time: Int64? = nil,
        ifMadeBy creationID: String? = nil,
        givingUp: Bool = false,
        onBehalfOf token: PresentedToken? = nil,
        requestID: String,
        markMilliseconds: Int64,
        audit: AuditContext?
    ) {
        self.init(
            .deleteAccount,
            keys: [
                "accountKey": KeyNames.user(account),
                "usersKey": KeyNames.users(account.shard, account.project),
                "sessionsKey": KeyNames.userSessions(account),
                "deletedKey": KeyNames.deletedUser(account),
                "givenUpKey": KeyNames.givenUpUser(account),
                "sessionPrefix": KeyNames.userSessionPrefix(account.shard, account.project),
            ],
            [
                "uid": .text(account.uid),
                "markLife": .integer(markMilliseconds),
                "request": .text(requestID),
                "unusedSince": .optional(time),
                "maker": .text(creationID.map(AccountRecord.maker) ?? ""),
                "givingUp": .flag(givingUp),
            ],
            onBehalfOf: token,
            of: account,
            audit: audit
        )
    }
}

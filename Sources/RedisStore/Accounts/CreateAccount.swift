internal import Redis

/// What the script `create-account.lua` needs.
public struct AccountCreation: Sendable {
    let account: AccountIdentity
    let requestID: String
    let now: Int64
    let changes: AccountUpdate
    let audit: AuditContext?

    /// An account made at `now`, milliseconds since the Unix epoch, by a request.
    public init(
        account: AccountIdentity,
        requestID: String,
        now: Int64,
        changes: AccountUpdate,
        audit: AuditContext?
    ) {
        self.account = account
        self.requestID = requestID
        self.now = now
        self.changes = changes
        self.audit = audit
    }
}

extension Store {
    /// Makes an account in one atomic step; nil where there is one of that name.
    /// - Throws: ``StoreUnavailable``; repeating it with the same request id is harmless.
    public func createAccount(_ creation: AccountCreation) throws(StoreUnavailable) -> AccountRecord? {
        let account = creation.account
        let reply = try run(
            Scripts.createAccount,
            isConfirmed: true,
            keys: [KeyNames.user(account), KeyNames.users(account.shard, account.project)],
            [.text(account.uid), .integer(creation.now), .text("create/" + creation.requestID)]
                + creation.changes.arguments,
            audit: creation.audit,
            in: account.shard
        )
        switch try reply.outcome() {
        case "exists":
            return nil
        case "created":
            guard let record = AccountRecord(fields: reply.fields(from: 1)) else { throw .unexpectedReply }
            return record
        default:
            throw .unexpectedReply
        }
    }
}

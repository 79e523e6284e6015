internal import Redis

/// The input of the script `create-account.lua`.
public struct AccountCreation: Sendable {
    let account: AccountIdentity
    let requestID: String
    let now: Int64
    let changes: AccountUpdate
    let firstRevocation: Int64
    let audit: AuditContext?

    /// Describes an account that a request creates at `now`, milliseconds since the Unix epoch. Its revocation counter
    /// starts at `firstRevocation`, a random number.
    public init(
        account: AccountIdentity,
        requestID: String,
        now: Int64,
        changes: AccountUpdate,
        firstRevocation: Int64,
        audit: AuditContext?
    ) {
        self.account = account
        self.requestID = requestID
        self.now = now
        self.changes = changes
        self.firstRevocation = firstRevocation
        self.audit = audit
    }

    var call: ScriptCall {
        ScriptCall(
            keys: [KeyNames.user(account), KeyNames.users(account.shard, account.project)],
            arguments: [.text(account.uid), .integer(now), .text("create/" + requestID), .integer(firstRevocation)]
                + changes.arguments,
            of: account,
            audit: audit
        )
    }
}

extension Store {
    /// Creates an account in one atomic step. Returns nil if the uid is taken.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    public func createAccount(_ creation: AccountCreation) throws(StoreUnavailable) -> AccountRecord? {
        try Self.created(try run(Scripts.createAccount, isConfirmed: true, creation.call))
    }

    /// Creates accounts, each in its own step, in one round trip. Returns nil for those whose uids are taken.
    /// - Throws: ``StoreUnavailable``; then any of them may have been created, and a retry is harmless.
    public func createAccounts(_ creations: [AccountCreation]) throws(StoreUnavailable) -> [AccountRecord?] {
        var records: [AccountRecord?] = []
        for reply in try run(Scripts.createAccount, creations.map(\.call)) { records.append(try Self.created(reply)) }
        return records
    }

    private static func created(_ reply: ScriptReply) throws(StoreUnavailable) -> AccountRecord? {
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

internal import Redis
public import RedisScripts

/// An account to create: a call of the script `create-account.lua`.
public struct AccountCreation: Sendable {
    fileprivate let call: ScriptCall

    /// Describes an account that a request creates at `now`, milliseconds since the Unix epoch.
    public init(
        account: AccountIdentity,
        requestID: String,
        now: Int64,
        changes: AccountUpdate,
        audit: AuditContext?
    ) {
        call = ScriptCall(
            .createAccount,
            keys: [
                "accountKey": KeyNames.user(account),
                "usersKey": KeyNames.users(account.shard, account.project),
                "givenUpKey": KeyNames.givenUpUser(account),
            ],
            NamedValues(
                [
                    "uid": .text(account.uid),
                    "now": .integer(now),
                    "madeBy": .text(AccountRecord.maker(requestID)),
                ],
                list: "changes",
                changes.arguments
            ),
            of: account,
            audit: audit
        )
    }
}

extension Store {
    /// Creates an account in one atomic step. Returns nil if the uid is taken.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    public func createAccount(_ creation: AccountCreation) throws(StoreUnavailable) -> AccountRecord? {
        try Self.created(try run(creation.call, isConfirmed: true))
    }

    /// Creates accounts, each in its own atomic step, all in one round trip. Returns nil for accounts whose uids are
    /// taken.
    /// - Throws: ``StoreUnavailable``; then any of them may have been created, and a retry is harmless.
    public func createAccounts(_ creations: [AccountCreation]) throws(StoreUnavailable) -> [AccountRecord?] {
        var records: [AccountRecord?] = []
        for reply in try run(creations.map(\.call), isConfirmed: true) { records.append(try Self.created(reply)) }
        return records
    }

    /// Waits until as many replicas as the operator requires have all earlier changes of these accounts and of the
    /// claims of their identifiers.
    /// - Throws: ``StoreUnavailable``.
    public func confirmChanges(
        of accounts: [AccountIdentity],
        numbers: [PhoneIdentity],
        emails: [EmailIdentity]
    ) throws(StoreUnavailable) {
        try confirmAllWrites(
            inSlotsOf: accounts.map(KeyNames.user) + numbers.map { KeyNames.identifier($0) }
                + emails.map { KeyNames.identifier($0) }
        )
    }

    private static func created(_ reply: ScriptReply) throws(StoreUnavailable) -> AccountRecord? {
        switch try reply.outcome() {
        case "exists":
            return nil
        case "given-up":
            throw StoreUnavailable(description: "this request has already given up the account that it creates")
        case "created":
            guard let record = AccountRecord(fields: reply.fields(from: 1)) else { throw .unexpectedReply }
            return record
        default:
            throw .unexpectedReply
        }
    }
}

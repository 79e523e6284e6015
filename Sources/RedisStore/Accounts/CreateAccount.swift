internal import Redis

/// What the script `create-account.lua` needs.
public struct AccountCreation: Sendable {
    let account: AccountIdentity
    let requestID: String
    let now: Int64
    let fields: [AccountField: String]
    let pending: (claim: NumberClaim, sealedNumber: [UInt8])?

    /// An account made at `now`, milliseconds since the Unix epoch, by a request; it is about to get the `pending` number.
    public init(
        account: AccountIdentity,
        requestID: String,
        now: Int64,
        fields: [AccountField: String],
        pending: (claim: NumberClaim, sealedNumber: [UInt8])?
    ) {
        self.account = account
        self.requestID = requestID
        self.now = now
        self.fields = fields
        self.pending = pending
    }
}

/// What the script `take-number.lua` did.
public enum NumberTaking: Sendable {
    /// The account as it is now, and the number that is to let go of it.
    case taken(AccountRecord, former: HeldNumber?)
    /// The account neither holds the claim nor is about to.
    case notHeld
    case noAccount
}

extension Store {
    /// Makes an account in one atomic step; nil where there is one of that name.
    /// - Throws: ``StoreUnavailable``; repeating it with the same request id is harmless.
    public func createAccount(_ creation: AccountCreation) throws(StoreUnavailable) -> AccountRecord? {
        var fields: [Argument] = []
        for (field, value) in creation.fields { fields += [.text(field.rawValue), .text(value)] }
        if let (claim, sealedNumber) = creation.pending {
            fields += ["pending-claim", .text(claim.id), "pending-phone", .bytes(sealedNumber)]
        }
        let account = creation.account
        let reply = try run(
            Scripts.createAccount,
            keys: [KeyNames.user(account), KeyNames.users(account.shard, account.project)],
            [.text(account.uid), .integer(creation.now), .text("create/" + creation.requestID)] + fields
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

    /// Makes an account take a number that stands claimed for it, in one atomic step.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func takeNumber(
        _ sealedNumber: [UInt8],
        _ claim: NumberClaim,
        for account: AccountIdentity
    ) throws(StoreUnavailable) -> NumberTaking {
        let reply = try run(
            Scripts.takeNumber,
            keys: [KeyNames.user(account)],
            [.text(claim.id), .bytes(sealedNumber)]
        )
        switch try reply.outcome() {
        case "no-account":
            return .noAccount
        case "not-held":
            return .notHeld
        case "taken":
            guard let record = AccountRecord(fields: reply.fields(from: 3)) else { throw .unexpectedReply }
            return .taken(record, former: try HeldNumber(reply, at: 1, uid: account.uid))
        default:
            throw .unexpectedReply
        }
    }
}

internal import Redis
public import RedisScripts

extension Store {
    /// Removes a second factor from an account, together with its recovery codes, and revokes all tokens issued before
    /// `validSince` (seconds since the Unix epoch), in one atomic step.
    /// - Returns: the changed account; nil if the account or the factor does not exist.
    /// - Throws: ``StoreUnavailable``; a retry with the same `requestID` is harmless.
    public func revertSecondFactor(
        _ id: String,
        of account: AccountIdentity,
        validSince: Int64,
        requestID: String,
        audit: AuditContext?
    ) throws(StoreUnavailable) -> AccountRecord? {
        let call = ScriptCall(
            .revertSecondFactor,
            keys: ["accountKey": KeyNames.user(account)],
            [
                "uid": .text(account.uid),
                "id": .text(id),
                "validSince": .integer(validSince),
                "request": .text(requestID),
            ],
            of: account,
            audit: audit
        )
        let reply = try run(call, isConfirmed: true)
        switch try reply.outcome() {
        case "unknown-factor": return nil
        case "reverted":
            guard let record = AccountRecord(fields: reply.fields(from: 1)) else { throw .unexpectedReply }
            return record
        default: throw .unexpectedReply
        }
    }
}

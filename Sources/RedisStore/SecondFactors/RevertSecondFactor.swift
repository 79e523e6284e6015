internal import Redis

extension Store {
    /// Takes a second factor away from an account, with its recovery codes and with all tokens issued before `validSince`, seconds
    /// since the Unix epoch, in one atomic step.
    /// - Returns: the account as it is now; nil where it has no such factor, or is not there.
    /// - Throws: ``StoreUnavailable``; repeating it with the same `requestID` is harmless.
    public func revertSecondFactor(
        _ id: String,
        of account: AccountIdentity,
        validSince: Int64,
        requestID: String,
        audit: AuditContext?
    ) throws(StoreUnavailable) -> AccountRecord? {
        let call = ScriptCall(
            keys: [KeyNames.user(account)],
            arguments: [.text(account.uid), .text(id), .integer(validSince), .text(requestID)],
            of: account,
            audit: audit
        )
        let reply = try run(Scripts.revertSecondFactor, isConfirmed: true, call)
        switch try reply.outcome() {
        case "unknown-factor": return nil
        case "reverted":
            guard let record = AccountRecord(fields: reply.fields(from: 1)) else { throw .unexpectedReply }
            return record
        default: throw .unexpectedReply
        }
    }
}

extension SignInRecord {
    /// The result of the dry run.
    public enum Prospect: Sendable {
        /// The sign-in would succeed with this account; nil if it would create the account.
        case possible(AccountRecord?)
        case hindered(SignInObstacle)
    }
}

extension Store {
    /// Returns the outcome that a sign-in would have (a dry run). It records only a recycled number and a wrong
    /// second-factor code. The outcome may differ by the time the sign-in is recorded.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func lookAhead(_ record: SignInRecord) throws(StoreUnavailable) -> SignInRecord.Prospect {
        let reply = try run(record.call(isDryRun: true), isConfirmed: true)
        switch try reply.outcome() {
        case "possible": return .possible(AccountRecord(fields: reply.fields(from: 1)))
        default: return .hindered(try SignInObstacle(reply))
        }
    }
}

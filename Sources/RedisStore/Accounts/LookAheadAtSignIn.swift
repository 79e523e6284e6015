extension SignInRecord {
    /// The result of the dry run.
    public enum Prospect: Sendable {
        /// The sign-in would succeed with this account; nil if it would create the account.
        case possible(AccountRecord?)
        case disabled
        /// The ID token was revoked.
        case tokenRevoked
        /// The ID token's sign-in is too old to link anything.
        case signInTooOld
        case noAccount
        case exists
        case notHeld
        /// The user must sign in in another way.
        case recycled
        /// The account has second factors and must be asked for one. The changes were made.
        case secondFactorRequired(AccountRecord)
        /// The second-factor need is not met.
        case secondFactorRefused(SecondFactorFault)
    }
}

extension Store {
    /// Returns the outcome that a sign-in would have (a dry run). It records only a recycled number and a wrong
    /// second-factor code. The outcome may differ by the time the sign-in is recorded.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func lookAhead(_ record: SignInRecord) throws(StoreUnavailable) -> SignInRecord.Prospect {
        let reply = try run(record, onlyLooks: true)
        switch try reply.outcome() {
        case "disabled": return .disabled
        case "revoked": return .tokenRevoked
        case "too-old": return .signInTooOld
        case "no-account": return .noAccount
        case "exists": return .exists
        case "not-held": return .notHeld
        case "recycled": return .recycled
        case "possible": return .possible(AccountRecord(fields: reply.fields(from: 1)))
        case "second-factor":
            guard let account = AccountRecord(fields: reply.fields(from: 1)) else { throw .unexpectedReply }
            return .secondFactorRequired(account)
        default: return .secondFactorRefused(try SecondFactorFault(reply))
        }
    }
}

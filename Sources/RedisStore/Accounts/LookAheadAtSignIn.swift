extension SignInRecord {
    /// What the script would do.
    public enum Prospect: Sendable {
        /// It would sign in to this account; nil where it would make it.
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
        /// The account has second factors, and one is to be asked for. The changes were made.
        case secondFactorRequired(AccountRecord)
        /// What is needed of second factors is not there.
        case secondFactorRefused(SecondFactorFault)
    }
}

extension Store {
    /// Looks what would come of a sign-in, and records nothing, but that a number may have another holder by now, and that a second
    /// factor's code was wrong. What it finds may have changed when it is recorded.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
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

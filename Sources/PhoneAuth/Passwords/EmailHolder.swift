internal import Passwords
internal import RedisStore

/// The account that has an e-mail address: the address's claim leads to the account, and the account holds the claim.
struct EmailHolder {
    let identity: AccountIdentity
    let record: AccountRecord
    let claim: IdentifierClaim
}

extension OperationContext {
    /// Returns the account that has an e-mail address; nil if there is none. The number of Redis queries does not
    /// depend on the result (no user enumeration by timing).
    func holder(of email: EmailIdentity) throws(StoreUnavailable) -> EmailHolder? {
        let claim = try store.claim(of: email)
        let identity = AccountIdentity(project: email.project, uid: claim?.uid ?? email.hash, among: store.shards)
        let record = try store.account(identity)
        guard let claim, let record, record.emailClaimID == claim.id else { return nil }
        return EmailHolder(identity: identity, record: record, claim: claim)
    }
}

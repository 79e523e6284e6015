internal import RedisScripts

/// The account that has an identifier: the identifier's claim leads to the account, and the account holds the claim.
struct IdentifierHolder {
    let identity: AccountIdentity
    let record: AccountRecord
    let claim: IdentifierClaim
}

extension OperationContext {
    /// Returns the account that has an identifier, in two round trips; nil if there is none. The number of Redis
    /// queries does not depend on the result (no user enumeration by timing).
    func holder<Identity: IdentifierIdentity>(
        of identifier: Identity
    ) throws(StoreUnavailable) -> IdentifierHolder? {
        let claim = try store.claim(of: identifier)
        let uid = claim?.uid ?? identifier.hash
        let identity = AccountIdentity(project: identifier.project, uid: uid, among: store.shards)
        let record = try store.account(identity)
        guard let claim, let record, record.claimID(of: Identity.kind) == claim.id else { return nil }
        return IdentifierHolder(identity: identity, record: record, claim: claim)
    }
}

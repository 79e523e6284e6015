internal import Passwords
internal import RedisStore

/// The account that an e-mail address leads to, and that holds it.
struct EmailHolder {
    let identity: AccountIdentity
    let record: AccountRecord
    let claim: IdentifierClaim
}

extension Authenticator {
    /// Who holds an e-mail address; nil where nobody does. It asks Redis as often either way.
    func holder(of email: EmailIdentity) throws(StoreUnavailable) -> EmailHolder? {
        let claim = try store.claim(of: email)
        let identity = AccountIdentity(project: email.project, uid: claim?.uid ?? email.hash, among: store.shards)
        let record = try store.account(identity)
        guard let claim, let record, record.emailClaimID == claim.id else { return nil }
        return EmailHolder(identity: identity, record: record, claim: claim)
    }
}

internal import RedisStore

extension Authenticator {
    /// Makes an account for an operator; without a `uid` it gets a new one.
    ///
    /// Its number and its e-mail address come to it as another one comes to an account. Where a worker dies on the way, the
    /// account is there without them, and the operator may give them to it. `requestID` names this request.
    /// - Throws: ``AccountRefusal``; then there is no such account, or it was there before.
    public func createAccount(
        uid: String?,
        _ change: AccountChange,
        requestID: String,
        in project: Project
    ) throws(AccountRefusal) -> Account {
        let uid = uid ?? AccountID.make(environment)
        guard AccountID.isLegal(uid) else { throw .uidInvalid }
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        let now = environment.now()
        try change.check(at: now)
        let gifts = try gifts(of: change, in: project)
        let secondFactors = try secondFactorGifts(of: change, in: project)
        try refuseTaken(gifts, for: identity, in: project, now)
        let creation = AccountCreation(
            account: identity,
            requestID: requestID,
            now: now.milliseconds,
            changes: try update(change, secondFactors, of: identity, having: [], now),
            firstRevocation: newRevocationCounter(),
            audit: audit(about: AuditedIdentifiers(), in: project)
        )
        let record: AccountRecord?
        do { record = try store.createAccount(creation) } catch { throw .failed(.unavailable(error)) }
        guard let record else { throw .uidTaken }
        guard gifts.isSomething else { return Account(identity, record, keys) }
        do {
            try give(
                gifts,
                to: identity,
                knownToHave: AuditedIdentifiers(),
                revokingTokens: false,
                in: project,
                now
            )
        } catch {
            switch error {
            case .numberExists, .credential:
                // Somebody else got it in between: an account without it is not what was asked for.
                _ = try? deleteAccount(identity, requestID: requestID, in: project)
            default: break
            }
            throw error
        }
        return Account(identity, try accountRecord(identity), keys)
    }
}

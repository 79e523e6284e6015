internal import RedisStore

extension Authenticator {
    /// Creates an account for an operator, with a generated uid if `uid` is nil.
    ///
    /// Number and e-mail address are then given to the account as to an existing one. If a worker dies in between, the
    /// account exists without them, and the operator may give them to it. `requestID` identifies the request.
    /// - Throws: ``AccountRefusal``; then the account does not exist, or existed before.
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
                // Another account got the identifier concurrently: an account without it is not what was requested.
                _ = try? deleteAccount(identity, requestID: requestID, in: project)
            default: break
            }
            throw error
        }
        return Account(identity, try accountRecord(identity), keys)
    }
}

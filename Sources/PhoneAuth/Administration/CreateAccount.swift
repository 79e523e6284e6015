internal import Encodings
internal import RedisStore

extension OperationContext {
    /// Creates an account for an operator, with a generated uid if `uid` is nil.
    ///
    /// The number and the e-mail address are then given to the account as to an existing one. If a worker dies in
    /// between, the account exists without them, and the operator may add them later. `requestID` distinguishes the
    /// creations of one request; nil stands for the request's own id.
    /// - Throws: ``AccountRefusal``; then the account does not exist, or already existed.
    public func createAccount(
        uid: String?,
        _ change: AccountChange,
        requestID: String? = nil
    ) throws(AccountRefusal) -> Account {
        let uid = uid ?? AccountID.make(environment)
        guard AccountID.isLegal(uid) else { throw .uidInvalid }
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        try change.check(at: now)
        let assignments = try assignments(of: change)
        let secondFactors = try secondFactorAssignments(of: change)
        try refuseTaken(assignments, for: identity)
        let creation = AccountCreation(
            account: identity,
            requestID: requestID ?? self.requestID,
            now: now.milliseconds,
            changes: try update(change, secondFactors, of: identity, having: []),
            audit: audit(about: AuditedIdentifiers())
        )
        let record = try AccountRefusal.wrapping(store.createAccount(creation))
        guard let record else { throw .uidTaken }
        guard assignments.isPresent else { return Account(identity, record, keys) }
        do {
            try assign(assignments, to: identity, knownToHave: AuditedIdentifiers(), revokingTokens: false)
        } catch {
            switch error {
            case .numberExists, .credential:
                // Another account got the identifier concurrently: an account without it is not what was requested.
                bestEffort("delete a half-made account", try deleteAccount(identity, requestID: requestID))
            default: break
            }
            throw error
        }
        return Account(identity, try accountRecord(identity), keys)
    }

    /// Deletes a new account that cannot be completed. If the store does not respond, the account remains, and the log
    /// says so.
    public func deleteHalfMadeAccount(uid: String) {
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        bestEffort("delete a half-made account", try deleteAccount(identity))
    }
}

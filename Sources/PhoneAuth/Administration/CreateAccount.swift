internal import Encodings
internal import RedisScripts

extension OperationContext {
    /// Creates an account for an operator, with a generated uid if `uid` is nil.
    ///
    /// The number and the e-mail address are then given to the account as to an existing one. If a worker dies in
    /// between, the account exists without them, and the operator may add them later. `requestID` distinguishes the
    /// creations of one request; nil stands for the request's own id. A creation `isResumable` if the operator's next
    /// attempt has the same `requestID`: it completes the account of an attempt during which the store failed. Once the
    /// account has all identifiers, attempts no longer recognize it: it may lose one in use without being unfinished.
    /// - Throws: ``AccountRefusal``; then the account does not exist, or already existed. If the store failed, this is
    ///   best effort, and the log says if an account without its identifiers may exist. A resumable creation may leave
    ///   one.
    public func createAccount(
        uid: String?,
        _ change: AccountChange,
        requestID: String? = nil,
        isResumable: Bool = false
    ) throws(AccountRefusal) -> Account {
        let uid = uid ?? AccountID.make(environment)
        guard AccountID.isLegal(uid) else { throw .uidInvalid }
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        try change.check(at: now)
        let assignments = try assignments(of: change, to: identity)
        let secondFactors = try secondFactorAssignments(of: change)
        try refuseTaken(assignments, for: identity)
        let requestID = requestID ?? self.requestID
        let creation = AccountCreation(
            account: identity,
            requestID: requestID,
            now: now.milliseconds,
            changes: try update(change, secondFactors, of: identity, having: []),
            audit: audit(about: AuditedIdentifiers())
        )
        do throws(AccountRefusal) {
            let record = try AccountRefusal.wrapping(store.createAccount(creation))
            guard let record else { throw .uidTaken }
            let assigned = try assign(
                assignments,
                to: identity,
                knownToHave: AuditedIdentifiers(),
                revokingTokens: false,
                completesCreation: isResumable
            )
            return Account(identity, assigned ?? record, keys)
        } catch {
            switch error {
            case .numberExists, .credential:
                // Another account got the identifier concurrently: an account without it is not what was requested.
                bestEffort(
                    "delete a half-made account",
                    try deleteAccount(identity, ifCreatedBy: requestID, givingUp: !isResumable)
                )
            case .failed where !isResumable:
                // Otherwise a repeated request would find the uid taken, and the account would stay without its
                // identifiers. The deadline is usually over.
                store.extendDeadline(toLeave: Self.cleanupTime)
                bestEffort(
                    "delete a half-made account",
                    try deleteAccount(identity, ifCreatedBy: requestID, givingUp: true)
                )
            default: break
            }
            throw error
        }
    }

    /// The time for deleting a half-made account after the request's deadline. The web server waits longer.
    static let cleanupTime: Duration = .seconds(2)

    /// Deletes an account if the request with this id created it, and no one has signed in to it or changed it since.
    ///
    /// This is one step of the store. So the deletion takes effect even if replicas confirm neither the creation nor
    /// the deletion. With `givingUp`, it also takes effect if it overtakes the creation.
    func deleteAccount(
        _ identity: AccountIdentity,
        ifCreatedBy requestID: String,
        givingUp: Bool
    ) throws(StoreUnavailable) {
        _ = try deleteAccount(identity, ifMadeBy: requestID, givingUp: givingUp, requestID: requestID)
    }

    /// Deletes a new account that cannot be completed. If the store does not respond, the account remains, and the log
    /// says so.
    public func deleteHalfMadeAccount(uid: String) {
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        bestEffort("delete a half-made account", try deleteAccount(identity))
    }
}

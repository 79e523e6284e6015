internal import RedisStore

extension Authenticator {
    /// Changes an account for an operator: its number first, because that may be refused, then the rest.
    /// - Throws: ``AccountRefusal``.
    public func changeAccount(
        uid: String,
        _ change: AccountChange,
        in project: Project
    ) throws(AccountRefusal) -> Account {
        try change.checkSizes()
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        var removesNumber = false
        switch change.phoneNumber {
        case .unchanged: break
        case .removed: removesNumber = true
        case .set(let number):
            let gift = try newGift(of: number, to: identity, in: project, environment.now())
            _ = try give(gift, in: project)
        }
        let outcome: AccountUpdate.Outcome
        do {
            outcome = try store.updateAccount(
                identity,
                AccountUpdate(fields: change.fields, removesNumber: removesNumber)
            )
        } catch {
            throw .failed(.unavailable(error))
        }
        guard case .updated(let record, let former) = outcome else { throw .accountUnknown }
        if let former { release([former], of: identity, in: project) }
        return Account(identity, record, keys)
    }

    /// Deletes an account for an operator; `requestID` names this request, the same when a front end repeats it.
    /// - Throws: ``AccountRefusal``.
    public func deleteAccount(uid: String, requestID: String, in project: Project) throws(AccountRefusal) {
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        let isDeleted: Bool
        do {
            isDeleted = try deleteAccount(identity, requestID: requestID, in: project)
        } catch {
            throw .failed(.unavailable(error))
        }
        guard isDeleted else { throw .accountUnknown }
    }
}

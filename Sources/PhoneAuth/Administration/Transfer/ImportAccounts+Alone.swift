internal import RedisStore

extension Authenticator {
    /// Imports an account by the way that operators make one: where one of its name is there, or something stands with what it
    /// is to hold.
    func importAlone(
        _ candidate: ImportCandidate,
        _ existing: ExistingAccounts,
        in project: Project
    ) throws(StoreUnavailable) -> ImportOutcome {
        let imported = candidate.imported
        // One that awaits an identifier may be of an import that was killed: then this finishes it.
        if candidate.found?.awaitsIdentifier ?? true {
            do {
                _ = try createAccount(
                    uid: imported.uid,
                    imported.change,
                    requestID: candidate.requestID,
                    in: project
                )
                return .created
            } catch {
                switch error {
                case .uidTaken: break
                case .numberExists, .credential(.emailExists):
                    try removeUnfinished(candidate, in: project)
                    return .refused(error)
                default: return try .refusal(error)
                }
            }
        }
        switch existing {
        case .refuse: return .refused(.uidTaken)
        case .keep: return .kept
        case .overwrite:
            do {
                _ = try changeAccount(uid: imported.uid, imported.change, in: project)
                return .overwritten
            } catch {
                return try .refusal(error)
            }
        }
    }

    /// Deletes what this import, or an earlier run of it, has made of an account that it then may not have.
    private func removeUnfinished(_ candidate: ImportCandidate, in project: Project) throws(StoreUnavailable) {
        let identity = candidate.identity
        guard try store.account(identity) != nil else { return }
        // Only who made it is told so.
        let again = AccountCreation(
            account: identity,
            requestID: candidate.requestID,
            now: environment.now().milliseconds,
            changes: AccountUpdate(),
            firstRevocation: newRevocationCounter(),
            audit: nil
        )
        guard try store.createAccount(again) != nil else { return }
        _ = try deleteAccount(identity, requestID: candidate.requestID, in: project)
    }
}

extension ImportOutcome {
    /// A refusal, unless it is the store that failed: then nothing is known of the account.
    static func refusal(_ refusal: AccountRefusal) throws(StoreUnavailable) -> ImportOutcome {
        if case .failed(.unavailable(let store)) = refusal { throw store }
        return .refused(refusal)
    }
}

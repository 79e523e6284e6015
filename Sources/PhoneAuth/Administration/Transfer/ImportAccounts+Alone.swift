extension OperationContext {
    /// Imports one account with the operators' single-account operations: if its uid exists, or one of its identifiers
    /// is claimed.
    func importAlone(
        _ candidate: ImportCandidate,
        _ existing: ExistingAccounts
    ) throws(StoreUnavailable) -> ImportOutcome {
        let imported = candidate.imported
        // An account may be left from an interrupted import; then this call finishes it.
        if candidate.found.map({ candidate.mayBeUnfinished($0) }) ?? true {
            do {
                _ = try createAccount(
                    uid: imported.uid,
                    imported.change,
                    requestID: candidate.requestID,
                    isResumable: true
                )
                return .created
            } catch {
                switch error {
                case .uidTaken:
                    // The same import in another process may have just completed it.
                    var candidate = candidate
                    candidate.found = try store.account(candidate.identity)
                    if isDone(candidate) { return .unchanged }
                case .numberExists, .credential(.emailExists):
                    // This import, or an earlier run of it, may have created the account.
                    // The next run is the same request, and may create it.
                    try deleteAccount(candidate.identity, ifCreatedBy: candidate.requestID, givingUp: false)
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
                _ = try changeAccount(uid: imported.uid, imported.change)
                return .overwritten
            } catch {
                return try .refusal(error)
            }
        }
    }
}

extension ImportOutcome {
    /// Returns a refusal, or throws if the store failed: then the account's state is unknown.
    static func refusal(_ refusal: AccountRefusal) throws(StoreUnavailable) -> ImportOutcome {
        if case .failed(.unavailable(let store)) = refusal { throw store }
        return .refused(refusal)
    }
}

internal import Encodings

extension OperationContext {
    /// Deletes an account, on behalf of an ID token if there is one, or only if the creation with the id `creationID`
    /// made it; with `givingUp`, that creation can no longer create it. The audit event names the known identifiers.
    func deleteAccount(
        _ identity: AccountIdentity,
        _ known: AuditedIdentifiers = AuditedIdentifiers(),
        ifMadeBy creationID: String? = nil,
        givingUp: Bool = false,
        onBehalfOf presented: PresentedToken? = nil,
        requestID: String? = nil
    ) throws(StoreUnavailable) -> AccountDeletion {
        let deletion = try store.deleteAccount(
            identity,
            ifMadeBy: creationID,
            givingUp: givingUp,
            onBehalfOf: presented,
            requestID: requestID ?? self.requestID,
            markMilliseconds: AccountDeletion.markLifetime.milliseconds,
            audit: audit(about: known)
        )
        if case .deleted(let identifiers) = deletion { release(identifiers, of: identity) }
        return deletion
    }
}

extension AccountDeletion {
    /// The time for which a deleted account is remembered, so that a concurrent sign-in does not recreate it.
    static let markLifetime: Duration = .seconds(3600)
}

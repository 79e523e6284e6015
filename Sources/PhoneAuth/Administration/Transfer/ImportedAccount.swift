public import Encodings

/// An account to import.
public struct ImportedAccount: Sendable, Confidential {
    /// The `localId`, which is kept.
    let uid: String
    /// The account's data.
    public let change: AccountChange
    /// The source text of the account. A repeated import uses it to recognize the accounts that it created itself.
    let source: [UInt8]

    /// Creates an account that was read from `source`.
    public init(uid: String, _ change: AccountChange, source: [UInt8]) {
        self.uid = uid
        self.change = change
        self.source = source
    }
}

/// What an import does if an account with the uid exists and differs from the import.
public enum ExistingAccounts: String, Sendable, CaseIterable {
    /// Reports an error.
    case refuse
    /// Leaves the account unchanged.
    case keep
    /// Sets the fields that the import names and keeps the rest.
    case overwrite
}

/// The outcome of one account of an import.
public enum ImportOutcome: Sendable {
    case created
    /// The account already equals the import.
    case unchanged
    case kept
    case overwritten
    /// Nothing was imported.
    case refused(AccountRefusal)
}

/// A candidate of an import, parsed and validated.
struct ImportCandidate {
    /// The index in the batch.
    let index: Int
    let imported: ImportedAccount
    let identity: AccountIdentity
    let assignments: IdentifierAssignments
    /// The second factors; nil if the import names none.
    let secondFactors: [SecondFactorAssignment]?
    /// The request id of its creation, for idempotency.
    let requestID: String
    /// The current claims of its number and its e-mail address.
    var claims: [IdentifierClaim] = []
    /// The existing account with its uid.
    var found: AccountRecord?

    /// Whether neither its uid nor its identifiers exist yet.
    var isNew: Bool { found == nil && claims.isEmpty }

    /// Returns whether an interrupted import may have left an account without one of the identifiers.
    func mayBeUnfinished(_ record: AccountRecord) -> Bool {
        let lacksIdentifier =
            assignments.number != nil && record.numberClaimID == nil
            || assignments.email != nil && record.emailClaimID == nil
        return record.awaitsIdentifier || lacksIdentifier && record.isMade(byCreation: requestID)
    }
}

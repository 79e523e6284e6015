public import Encodings
internal import RedisStore

/// An account as it comes to a deployment.
public struct ImportedAccount: Sendable, Confidential {
    /// The `localId`, which it keeps.
    public let uid: String
    /// All that is known of it.
    public let change: AccountChange
    /// What it was read from. An import that is repeated knows by it what it made itself.
    let source: [UInt8]

    /// An account that was read from `source`.
    public init(uid: String, _ change: AccountChange, source: [UInt8]) {
        self.uid = uid
        self.change = change
        self.source = source
    }
}

/// What an import does with an account whose uid is there already, and that is not as the import says.
public enum ExistingAccounts: String, Sendable, CaseIterable {
    /// It is an error.
    case refuse
    /// It stays as it is.
    case keep
    /// It gets what the import names, and keeps the rest.
    case overwrite
}

/// What came of one account of an import.
public enum ImportOutcome: Sendable {
    case created
    /// It was there as the import says.
    case unchanged
    case kept
    case overwritten
    /// Nothing of it was done.
    case refused(AccountRefusal)
}

/// An account of an import that may become one of ours.
struct ImportCandidate {
    /// Its place in the batch.
    let index: Int
    let imported: ImportedAccount
    let identity: AccountIdentity
    let gifts: IdentifierGifts
    /// The second factors that it is to have; nil where the import names none.
    let secondFactors: [SecondFactorGift]?
    /// What its creation is known by.
    let requestID: String
    /// What stands with its number and with its e-mail address.
    var claims: [IdentifierClaim] = []
    /// The account of its uid that there is.
    var found: AccountRecord?

    /// Whether nothing stands in its way.
    var isNew: Bool { found == nil && claims.isEmpty }
}

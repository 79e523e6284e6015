/// What events call identifiers, which scripts know by their claims only: kind, colon, keyed hash.
public struct AuditedIdentifiers: Sendable {
    /// By the ids of their claims.
    private(set) var names: [String: String] = [:]

    /// None.
    public init() {}

    /// Names the identifier that an account holds, or is to hold, by a claim.
    public mutating func add<Subject: IdentifierSubject>(_ identifier: HashedIdentity<Subject>, claimID: String) {
        names[claimID] = Self.name(identifier)
    }

    mutating func add(_ identifier: SignInRecord.Identifier) {
        names[identifier.claim.id] = identifier.name
    }

    static func name<Subject: IdentifierSubject>(_ identifier: HashedIdentity<Subject>) -> String {
        "\(Subject.kind.rawValue):\(identifier.hash)"
    }
}

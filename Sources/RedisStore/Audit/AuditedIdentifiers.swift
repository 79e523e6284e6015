/// The names of identifiers in audit events (kind, colon, keyed hash). Scripts know identifiers only by their claims.
public struct AuditedIdentifiers: Sendable {
    /// The names by the ids of their claims.
    private(set) var names: [String: String] = [:]

    /// Creates an empty collection.
    public init() {}

    /// Names the identifier that an account holds, or is to hold, by a claim.
    public mutating func add(_ identifier: some IdentifierIdentity, claimID: String) {
        names[claimID] = Self.name(identifier)
    }

    mutating func add(_ identifier: SignInRecord.Identifier) {
        names[identifier.claim.id] = identifier.name
    }

    static func name<Identity: IdentifierIdentity>(_ identifier: Identity) -> String {
        "\(Identity.kind.rawValue):\(identifier.hash)"
    }
}

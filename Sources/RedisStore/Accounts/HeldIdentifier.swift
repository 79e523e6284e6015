/// An identifier that an account held, or was about to hold: what it takes to make it let go.
public struct HeldIdentifier: Sendable {
    /// What it is.
    public let kind: IdentifierKind
    /// The identifier, sealed for the account.
    public let sealed: [UInt8]
    /// What stands with the identifier, unless another claim does by now.
    public let claim: IdentifierClaim

    /// What a sign-in says of the identifier that led it.
    public init(_ identifier: SignInRecord.Identifier) {
        self.init(kind: identifier.kind, sealed: identifier.sealed, claim: identifier.claim)
    }

    private init(kind: IdentifierKind, sealed: [UInt8], claim: IdentifierClaim) {
        self.kind = kind
        self.sealed = sealed
        self.claim = claim
    }

    /// Reads a script's list of kind, sealed identifier, claim, and so on.
    static func list(_ reply: ScriptReply, uid: String) throws(StoreUnavailable) -> [HeldIdentifier] {
        var held: [HeldIdentifier] = []
        for index in stride(from: 0, to: try reply.replies().count, by: 3) {
            guard let kind = IdentifierKind(rawValue: try reply.text(at: index)) else { throw .unexpectedReply }
            held.append(
                HeldIdentifier(
                    kind: kind,
                    sealed: try reply.bytes(at: index + 1),
                    claim: IdentifierClaim(uid: uid, id: try reply.text(at: index + 2))
                )
            )
        }
        return held
    }
}

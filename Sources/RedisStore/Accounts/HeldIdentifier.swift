/// An identifier that an account held, or was about to take, with what is needed to release it.
public struct HeldIdentifier: Sendable {
    /// The kind of identifier.
    public let kind: IdentifierKind
    /// The identifier, sealed for the account.
    public let sealed: [UInt8]
    /// The identifier's claim when it was read; another claim may have replaced it since.
    public let claim: IdentifierClaim

    /// Takes the identifier of a sign-in.
    public init(_ identifier: SignInRecord.Identifier) {
        self.init(kind: identifier.kind, sealed: identifier.sealed, claim: identifier.claim)
    }

    private init(kind: IdentifierKind, sealed: [UInt8], claim: IdentifierClaim) {
        self.kind = kind
        self.sealed = sealed
        self.claim = claim
    }

    /// Reads a script's flat list of kind, sealed identifier and claim.
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

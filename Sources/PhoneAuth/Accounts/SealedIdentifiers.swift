internal import RedisStore

/// The identifiers of an account as Redis stores them: sealed for the account.
extension Account {
    /// Opens an identifier that was sealed for an account; nil if no data key opens it.
    static func identifier(
        _ kind: IdentifierKind,
        _ sealed: [UInt8],
        of identity: AccountIdentity,
        _ keys: ServerKeys
    ) -> String? {
        keys.data.open(sealed, context: sealingContext(kind, identity)).map { String(decoding: $0, as: UTF8.self) }
    }

    static func sealingContext(_ kind: IdentifierKind, _ identity: AccountIdentity) -> SealingContext {
        SealingContext("account-\(kind.rawValue)", of: "\(identity.project)/\(identity.uid)")
    }
}

extension OperationContext {
    /// Seals an identifier for an account.
    func seal(
        _ kind: IdentifierKind,
        _ text: String,
        for account: AccountIdentity
    ) throws(OperationFailure) -> [UInt8] {
        try authenticator.seal(Array(text.utf8), Account.sealingContext(kind, account))
    }
}

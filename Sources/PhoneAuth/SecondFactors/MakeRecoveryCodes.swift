extension OperationContext {
    /// Creates recovery codes for an ID token's user who has second factors. All earlier recovery codes become invalid.
    /// Each code is single use and replaces a second factor's code after the first factor.
    /// - Returns: the codes, which are shown only once: Redis stores only their keyed hashes.
    /// - Throws: ``SecondFactorRefusal``; then nothing has changed.
    public func makeRecoveryCodes(idToken: String) throws(SecondFactorRefusal) -> [String] {
        let user = try SecondFactorRefusal.wrapping(
            refusalOf: authenticate(idToken: idToken, for: .generateRecoveryCodes)
        )
        guard !user.record.secondFactors.isEmpty else { throw .noFactor }
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode.make(environment) }
        var changes = AccountUpdate()
        changes.recoveryCodes = codes.map { $0.hash(for: user.identity, keys) }
        let outcome = try SecondFactorRefusal.wrapping(
            store.updateAccount(
                user.identity,
                changes,
                onBehalfOf: user.presented,
                needing: .presenceOfAny,
                audit: audit(about: identifiers(of: user))
            )
        )
        switch outcome {
        case .updated: return codes.map(\.text)
        case .noAccount, .emailChanged: throw .notAuthenticated(.accountUnknown)
        case .tokenRevoked: throw .notAuthenticated(.tokenRevoked)
        case .signInTooOld: throw .notAuthenticated(.signInTooOld)
        case .secondFactorRefused(.factorUnknown): throw .noFactor
        case .secondFactorRefused(let fault): throw SecondFactorRefusal(fault)
        }
    }
}

internal import RedisStore

extension Authenticator {
    /// Makes recovery codes for an ID token's user who has second factors. All earlier ones end. Each signs in once, after the
    /// first factor, in place of a second factor's code.
    /// - Returns: the codes, which are shown this once: Redis has their hashes only.
    /// - Throws: ``SecondFactorRefusal``; then nothing has changed.
    public func makeRecoveryCodes(idToken: String, in project: Project) throws(SecondFactorRefusal) -> [String] {
        let user: AuthenticatedUser
        do {
            user = try authenticate(idToken: idToken, for: .generateRecoveryCodes, in: project)
        } catch {
            throw .notAuthenticated(error)
        }
        guard !user.record.secondFactors.isEmpty else { throw .noFactor }
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode.make(environment) }
        var changes = AccountUpdate()
        changes.recoveryCodes = codes.map { $0.hash(for: user.identity, keys) }
        let outcome: AccountUpdate.Outcome
        do {
            outcome = try store.updateAccount(
                user.identity,
                changes,
                onBehalfOf: user.presented,
                needing: .presenceOfAny,
                audit: audit(about: identifiers(of: user, in: project), in: project)
            )
        } catch {
            throw .failed(.unavailable(error))
        }
        switch outcome {
        case .updated: return codes.map(\.text)
        case .noAccount: throw .notAuthenticated(.accountUnknown)
        case .tokenRevoked: throw .notAuthenticated(.tokenRevoked)
        case .signInTooOld: throw .notAuthenticated(.signInTooOld)
        case .secondFactorRefused(.factorUnknown): throw .noFactor
        case .secondFactorRefused(let fault): throw SecondFactorRefusal(fault)
        }
    }
}

internal import RedisStore

extension Authenticator {
    /// Makes recovery codes for an ID token's user who has second factors. All earlier ones end. Each signs in once, after the
    /// first factor, in place of a second factor's code.
    /// - Returns: the codes, which are shown this once: Redis has their hashes only.
    /// - Throws: ``SecondFactorRefusal``; then nothing has changed.
    public func makeRecoveryCodes(idToken: String, in project: Project) throws(SecondFactorRefusal) -> [String] {
        let user: AuthenticatedUser
        do { user = try authenticate(idToken: idToken, in: project) } catch { throw .notAuthenticated(error) }
        guard !user.record.secondFactors.isEmpty else { throw .noFactor }
        guard isRecent(user.token) else { throw .signInTooOld }
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode.make(environment) }
        var changes = AccountUpdate()
        changes.recoveryCodes = codes.map { $0.hash(for: user.identity, keys) }
        do {
            let audit = audit(about: identifiers(of: user, in: project), in: project)
            guard case .updated = try store.updateAccount(user.identity, changes, audit: audit) else {
                throw SecondFactorRefusal.notAuthenticated(.accountUnknown)
            }
        } catch let error as StoreUnavailable {
            throw .failed(.unavailable(error))
        } catch {
            throw .notAuthenticated(.accountUnknown)
        }
        return codes.map(\.text)
    }
}

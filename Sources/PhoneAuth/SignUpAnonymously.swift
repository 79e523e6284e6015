internal import RedisStore

/// Why nobody was given an account.
public enum SignUpRefusal: Error {
    /// The operator has turned it off for the project.
    case anonymousSignInDisabled
    /// The e-mail address or the password is not taken.
    case credential(CredentialRefusal)
    case displayNameTooLong
    /// A hook disabled the account that it let be made.
    case accountDisabled
    case failed(OperationFailure)
}

extension Authenticator {
    /// Makes an account for somebody of whom nothing is known.
    ///
    /// A request that is repeated makes another one, so front ends must not.
    /// - Throws: ``SignUpRefusal``.
    public func signUpAnonymously(in project: Project) throws(SignUpRefusal) -> IssuedTokens {
        guard project.isAnonymousSignInEnabled else { throw .anonymousSignInDisabled }
        do { try admit(.signUp, in: project) } catch { throw .failed(error) }
        let now = environment.now()
        let uid = AccountID.make(environment)
        let account = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        do {
            let outcome = try issueTokens(
                TokenRequest(account: account, provider: .anonymous, signedInAt: now, maker: uid),
                in: project,
                now
            )
            if case .issued(let tokens) = outcome { return tokens }
        } catch {
            throw .failed(error)
        }
        // An account of a name that nobody had before is neither disabled nor deleted.
        throw .failed(.interrupted)
    }
}

internal import RedisStore

/// Why nobody was given an account.
public enum SignUpRefusal: Error {
    /// The operator has turned it off for the project.
    case anonymousSignInDisabled
    /// The e-mail address or the password is not taken.
    case credential(CredentialRefusal)
    case displayNameTooLong
    /// The project demands that clients prove their app at sign-up.
    case appNotProven(AppProofFailure)
    /// A hook disabled the account that it let be made.
    case accountDisabled
    case failed(OperationFailure)
}

extension Authenticator {
    /// Makes an account for somebody of whom nothing is known.
    ///
    /// A request that is repeated makes another one, so front ends must not.
    /// - Throws: ``SignUpRefusal``.
    public func signUpAnonymously(
        provenBy proof: AppProofRequest? = nil,
        in project: Project
    ) throws(SignUpRefusal) -> IssuedTokens {
        guard project.isAnonymousSignInEnabled else { throw .anonymousSignInDisabled }
        return try creatingAccount(by: .signUp, in: project) { () throws(SignUpRefusal) in
            try requireAppProof(proof, in: project)
            return try makeAnonymousAccount(in: project)
        }
    }

    private func makeAnonymousAccount(in project: Project) throws(SignUpRefusal) -> IssuedTokens {
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

    /// Verifies what proves the app, where the project demands that at sign-up. Call it after the client was admitted:
    /// it may ask a provider.
    func requireAppProof(_ request: AppProofRequest?, in project: Project) throws(SignUpRefusal) {
        guard project.requiresAppProofAtSignUp else { return }
        guard let request else { throw .appNotProven(.missing) }
        do {
            _ = try prove(request, in: project)
        } catch {
            switch error {
            case .failed(let failure): throw .appNotProven(failure)
            case .unavailable(let store): throw .failed(.unavailable(store))
            }
        }
    }
}

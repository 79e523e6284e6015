internal import RedisStore

/// Why a custom token did not sign in.
public enum SignInWithCustomTokenRefusal: Error {
    case tokenRefused(CustomTokenError)
    case accountDisabled
    case failed(OperationFailure)
}

extension Authenticator {
    /// Signs in whom one of the operator's servers names, with a new account where there is none of that name.
    /// - Throws: ``SignInWithCustomTokenRefusal``.
    public func signInWithCustomToken(
        _ text: String,
        in project: Project
    ) throws(SignInWithCustomTokenRefusal) -> IssuedTokens {
        let now = environment.now()
        let token: CustomToken
        do {
            token = try CustomToken(text, from: project.customTokenIssuers, at: now)
        } catch {
            throw .tokenRefused(error)
        }
        let outcome: TokenOutcome
        do {
            outcome = try issueTokens(
                TokenRequest(
                    account: AccountIdentity(project: project.id, uid: token.uid, among: store.shards),
                    provider: .custom,
                    signedInAt: now,
                    maker: AccountID.make(environment),
                    tokenClaims: token.claims,
                    actor: .serviceAccount(token.issuer)
                ),
                in: project,
                now
            )
        } catch {
            throw .failed(error)
        }
        switch outcome {
        case .issued(let tokens): return tokens
        case .disabled: throw .accountDisabled
        // Neither happens to an account that no number led to and that may be made.
        case .noAccount, .notHeld, .exists, .recycled: throw .failed(.interrupted)
        }
    }
}

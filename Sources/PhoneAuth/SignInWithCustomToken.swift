internal import RedisStore

/// Why a custom token did not sign in.
public enum SignInWithCustomTokenRefusal: Error {
    case tokenRefused(CustomTokenError)
    case accountDisabled
    case failed(OperationFailure)
}

extension Authenticator {
    /// Signs in the user that one of the operator's servers names, with a new account if there is none of that name. The
    /// user is not asked for a second factor: the protocol's answer has no place for that, and the server that vouches
    /// may ask by itself.
    ///
    /// A new account counts in a limit of the project's custom tokens, and in none of the client's network: the token
    /// proves the server's authority, the server may exchange tokens for its users from one address, and a stolen token
    /// creates the account of its uid and no other. Only an account that was deleted within the last hour, as long as a
    /// token is good, counts in the limits of the network: nothing shows that the server wants it again.
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
        var request = TokenRequest(
            account: AccountIdentity(project: project.id, uid: token.uid, among: store.shards),
            provider: .custom,
            signedInAt: now,
            tokenClaims: token.claims,
            actor: .serviceAccount(token.issuer)
        )
        var outcome: TokenOutcome
        do {
            outcome = try issueTokens(request, in: project, now)
            if case .noAccount(let wasDeleted) = outcome {
                try admitCustomTokenSignUp(of: request.account, wasDeleted: wasDeleted, in: project)
                request.maker = AccountID.make(environment)
                outcome = try issueTokens(request, in: project, now)
            }
        } catch {
            throw .failed(error)
        }
        switch outcome {
        case .issued(let tokens): return tokens
        case .disabled: throw .accountDisabled
        // None happens to an account that no number led to, that may be made, and whose second factors do not matter.
        case .tokenRevoked, .signInTooOld, .noAccount, .notHeld, .exists, .recycled, .secondFactorRequired,
            .secondFactorRefused:
            throw .failed(.interrupted)
        }
    }
}

internal import RedisScripts

/// Why a custom token was not accepted for sign-in.
public enum SignInWithCustomTokenRefusal: Error {
    case tokenRefused(CustomTokenError)
    case accountDisabled
    case failed(OperationFailure)
}

extension OperationContext {
    /// Signs in the user that one of the operator's servers specifies, and creates the account if it does not exist. No
    /// second factor is requested: the protocol's response has no place for it, and the server that vouches for the
    /// user may request one itself.
    ///
    /// A new account counts toward a rate limit of the project's custom tokens, but not toward the client's per-network
    /// limits. The token proves the server's authority, the server may exchange tokens for its users from one address,
    /// and a stolen token creates only the account of its own uid. An account that was deleted within the last hour
    /// (the lifetime of a custom token) does count toward the per-network limits: nothing shows that the server wants
    /// to recreate it.
    /// - Throws: ``SignInWithCustomTokenRefusal``.
    public func signInWithCustomToken(_ text: String) throws(SignInWithCustomTokenRefusal) -> IssuedTokens {
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
            outcome = try issueTokens(request)
            if case .hindered(.noAccount(let wasDeleted)) = outcome {
                try admitCustomTokenSignUp(of: request.account, wasDeleted: wasDeleted)
                request.maker = AccountID.make(environment)
                outcome = try issueTokens(request)
            }
        } catch {
            throw .failed(error)
        }
        switch outcome {
        case .issued(let tokens): return tokens
        case .hindered(.disabled): throw .accountDisabled
        // Impossible for an account that was not found by a phone number, may be created, and is not asked for second
        // factors.
        case .hindered: throw .failed(.interrupted)
        }
    }
}

public import Encodings

/// The tokens of a new or continued session.
public struct IssuedTokens: Sendable, Confidential {
    /// The ID token, which proves the user to other servers for an hour.
    public let idToken: String
    /// The refresh token, which is exchanged for new ID tokens.
    public let refreshToken: String
    /// The account in its current state.
    public let account: Account
    /// Whether this sign-in created the account.
    public let isNewUser: Bool
}

extension OperationContext {
    enum TokenOutcome {
        case issued(IssuedTokens)
        case hindered(SignInObstacle)
    }

    /// Records a sign-in and signs its tokens, if the project's blocking hooks allow it.
    func issueTokens(_ request: TokenRequest) throws(OperationFailure) -> TokenOutcome {
        guard let hooks = request.hooks else { return try recordSignIn(request) }
        if let repeated = try recorded(request) { return try recordSignIn(repeated) }
        return try callHooksAndIssueTokens(request, hooks)
    }

    /// Returns the request with its session's own claims if the client repeats it and the session has begun: hooks have
    /// allowed it. Nil for another request.
    private func recorded(_ request: TokenRequest) throws(OperationFailure) -> TokenRequest? {
        guard repeatable != nil else { return nil }
        let token = refreshToken(for: request)
        let claims = try OperationFailure.wrapping(
            store.claims(ofSession: token.identity(in: project), with: token.secretHash)
        )
        guard let claims else { return nil }
        var recorded = request
        recorded.tokenClaims = CustomClaims(stored: claims)
        return recorded
    }

    func refreshToken(for request: TokenRequest) -> RefreshToken {
        RefreshToken.make(for: request.account, continuing: request.continuedSession, in: self)
    }

    /// Records a sign-in that all hooks have allowed, and signs its tokens.
    func recordSignIn(_ request: TokenRequest) throws(OperationFailure) -> TokenOutcome {
        try recordSignIn(request, refreshToken(for: request))
    }

    /// Records a sign-in with the refresh token of its session, and signs its tokens.
    func recordSignIn(_ request: TokenRequest, _ refreshToken: RefreshToken) throws(OperationFailure) -> TokenOutcome {
        let outcome = try OperationFailure.wrapping(store.recordSignIn(signInRecord(request, refreshToken)))
        switch outcome {
        case .changed: throw .interrupted
        case .hindered(let obstacle): return .hindered(obstacle)
        case .signedIn(let record, let isNew, let former):
            release(former, of: request.account)
            let account = Account(request.account, record, keys, number: request.number(of: record))
            let session = UserSession(
                id: refreshToken.identity(in: project).hash,
                provider: request.provider,
                signedInAt: request.signedInAt,
                claims: request.tokenClaims,
                secondFactor: request.secondFactor
            )
            let idToken = IDToken(
                of: account,
                in: session,
                revocation: record.revocation,
                issuedAt: now,
                in: project
            )
            return .issued(
                IssuedTokens(
                    idToken: try sign(idToken),
                    refreshToken: refreshToken.text(in: project, keys),
                    account: account,
                    isNewUser: isNew
                )
            )
        }
    }

    func signInRecord(_ request: TokenRequest, _ refreshToken: RefreshToken) -> SignInRecord {
        SignInRecord(
            request,
            refreshToken.identity(in: project),
            secretHash: refreshToken.secretHash,
            firstRevocation: refreshToken.firstRevocation,
            client: requester.client,
            under: policy,
            at: now,
            audit: audit(by: request.actor, about: request.auditedIdentifiers)
        )
    }
}

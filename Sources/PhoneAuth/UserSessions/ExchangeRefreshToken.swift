public import Encodings
internal import RedisScripts

/// The tokens that a refresh token was exchanged for.
public struct RefreshedToken: Sendable, Confidential {
    /// The ID token, which proves the user to other servers for an hour.
    public let idToken: String
    /// The refresh token to use from now on.
    public let refreshToken: String
    /// The account's `localId`.
    public let uid: String
}

/// Why a refresh token was not exchanged.
public enum ExchangeRefreshTokenRefusal: OperationRefusal {
    /// The text is not a well-formed refresh token.
    case tokenMalformed
    /// No session has this token: it ended, or it never existed.
    case tokenUnknown
    case accountDisabled
    case accountUnknown
    /// Issued before the account's tokens were revoked.
    case tokenRevoked
    /// An earlier generation of the token was replayed, so the token was copied. The session has been revoked.
    case tokenReused
    /// The project requires a second factor, and the session was started without one. The session lasts for one ID
    /// token, with which the user can enroll.
    case secondFactorMissing
    case failed(OperationFailure)
}

extension OperationContext {
    /// Exchanges a refresh token for a new ID token; the time of the sign-in (`auth_time`) stays unchanged.
    ///
    /// If refresh tokens rotate (``Policy/rotatesRefreshTokens``), the token is also exchanged for its next generation.
    /// Stock SDKs that lost the response retry with the old token: within ``Policy/refreshTokenGrace`` they get the
    /// same next generation. RFC 9700 § 4.14.2 requires either rotation or sender-constrained tokens.
    /// - Throws: ``ExchangeRefreshTokenRefusal``.
    public func exchangeRefreshToken(_ text: String) throws(ExchangeRefreshTokenRefusal)
        -> RefreshedToken
    {
        guard let token = RefreshToken(text, in: project, keys, store.shards) else {
            throw RefreshToken.isWellFormed(text) ? .tokenUnknown : .tokenMalformed
        }
        let outcome = try exchange(token)
        guard case .former = outcome else { return try refreshed(token, outcome) }
        // Another tab of the browser has not yet read the present tokens. A copy of the former token must not outlast
        // the change, so the tab gets a token of its own, the same one if it asks again.
        let renewed = token.renewed(in: project, keys)
        return try refreshed(renewed, exchange(renewed, renewing: token.secretHash))
    }

    private func exchange(
        _ token: RefreshToken,
        renewing renewedHash: String = ""
    ) throws(ExchangeRefreshTokenRefusal) -> RefreshTokenOutcome {
        try ExchangeRefreshTokenRefusal.wrapping(
            store.exchangeRefreshToken(
                session: token.identity(in: project),
                secretHash: token.secretHash,
                renewing: renewedHash,
                generation: token.generation,
                client: requester.client,
                under: policy,
                at: now,
                audit: audit(about: AuditedIdentifiers())
            )
        )
    }

    private func refreshed(
        _ token: RefreshToken,
        _ outcome: RefreshTokenOutcome
    ) throws(ExchangeRefreshTokenRefusal) -> RefreshedToken {
        switch outcome {
        case .unknown: throw .tokenUnknown
        case .disabled: throw .accountDisabled
        case .noAccount: throw .accountUnknown
        case .revoked, .former: throw .tokenRevoked
        case .reused: throw .tokenReused
        case .refreshed(let session): return try refreshed(token, session)
        }
    }

    private func refreshed(
        _ token: RefreshToken,
        _ session: RefreshTokenOutcome.Session
    ) throws(ExchangeRefreshTokenRefusal) -> RefreshedToken {
        guard session.isRenewed(in: project) else { throw .secondFactorMissing }
        return try ExchangeRefreshTokenRefusal.wrapping(failureOf: issue(token, of: session))
    }

    /// Signs an ID token of a session as Redis knows it, and returns it with the refresh token.
    func issue(
        _ token: RefreshToken,
        of session: RefreshTokenOutcome.Session
    ) throws(OperationFailure) -> RefreshedToken {
        let account = Account(session.account, session.record, keys)
        let idToken = IDToken(
            of: account,
            in: session.session,
            revocation: session.record.revocation,
            issuedAt: now,
            in: project
        )
        return RefreshedToken(
            idToken: try sign(idToken),
            refreshToken: token.generation(session.generation).text(in: project, keys),
            uid: account.uid
        )
    }
}

extension RefreshTokenOutcome.Session {
    /// Returns whether the session may get another ID token under a project's policy on second factors.
    func isRenewed(in project: Project) -> Bool { project.renews(session.provider, session.secondFactor) }
}

public import Encodings

/// A new authorization code.
public struct IssuedAuthorizationCode: Sendable, Confidential {
    /// The text that the app exchanges.
    public let text: String
    /// The time in which the app must exchange it.
    public let lifetime: Duration
}

extension OperationContext {
    /// Issues a one-time code that hands the session of an ID token over to an app: once the app has exchanged the
    /// code, the session's earlier refresh tokens are no longer valid. A session has one code at a time; an earlier one
    /// is invalid. If no app exchanges the code, the session ends with it.
    ///
    /// A refresh token lives longer than an ID token, so only a recent sign-in gets a code: a stolen ID token is not
    /// enough.
    ///
    /// - Parameters:
    ///   - idToken: the token of the sign-in.
    ///   - clientID: the client that may exchange the code: its API key.
    ///   - redirectURI: where the app receives the code.
    ///   - challenge: the hash of the app's secret.
    /// - Returns: the code.
    /// - Throws: ``IDTokenRefusal``.
    public func issueAuthorizationCode(
        idToken: String,
        clientID: String,
        redirectURI: AcceptedRedirectURI,
        challenge: CodeChallenge
    ) throws(IDTokenRefusal) -> IssuedAuthorizationCode {
        let user = try authenticate(idToken: idToken, for: .issueAuthorizationCode)
        guard let session = Base64URL.decode(user.session.id.utf8) else { throw .tokenInvalid }
        let code = AuthorizationCode(in: user.identity.shard, session: session, environment)
        let isIssued = try IDTokenRefusal.wrapping(
            store.issueAuthorizationCode(
                code.hash,
                of: code.identity(in: project),
                for: AuthorizationCodeTerms(
                    clientID: clientID,
                    redirectURI: redirectURI.text,
                    challenge: challenge
                ),
                account: user.identity,
                onBehalfOf: user.presented,
                lifeMilliseconds: AuthorizationCode.lifetime.milliseconds
            )
        )
        guard isIssued else { throw .tokenRevoked }
        return IssuedAuthorizationCode(text: code.text, lifetime: AuthorizationCode.lifetime)
    }
}

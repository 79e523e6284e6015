internal import RedisStore

/// Why no session cookie was created.
public enum SessionCookieRefusal: Error {
    /// Outside ``Policy/sessionCookieLifetimes``.
    case durationInvalid
    case notAuthenticated(IDTokenRefusal)
    case cryptographyFailed
}

extension Authenticator {
    /// The prefix of the `iss` claim of session cookies, before the project's id: the Admin SDKs check it.
    static var sessionCookieIssuerPrefix: String { "https://session.firebase.google.com/" }

    /// Creates a session cookie for a web app's own server: the claims of an ID token with a longer lifetime. The
    /// different issuer keeps one from passing for the other. The claims are those of a new ID token of the session,
    /// and the signing key is the same.
    /// - Throws: ``SessionCookieRefusal``.
    public func createSessionCookie(
        idToken: String,
        lifetime: Duration,
        in project: Project
    ) throws(SessionCookieRefusal) -> String {
        guard Policy.sessionCookieLifetimes.contains(lifetime) else { throw .durationInvalid }
        let user: AuthenticatedUser
        do {
            user = try authenticate(idToken: idToken, for: .createSessionCookie, in: project)
        } catch {
            throw .notAuthenticated(error)
        }
        let now = environment.now()
        let cookie = IDToken(
            of: user.account,
            session: user.session.id,
            revocation: user.record.revocation ?? 0,
            signedInAt: user.session.signedInAt,
            with: user.session.provider,
            user.session.claims,
            secondFactor: user.session.secondFactor,
            issuedAt: now,
            lifetime: lifetime,
            issuerPrefix: Self.sessionCookieIssuerPrefix,
            in: project
        )
        do { return try cookie.signed(with: keys.signingKey(at: now), policy) } catch { throw .cryptographyFailed }
    }
}

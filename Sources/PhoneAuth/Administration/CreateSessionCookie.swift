internal import RedisStore

/// Why no session cookie was made.
public enum SessionCookieRefusal: Error {
    /// Outside ``Policy/sessionCookieLifetimes``.
    case durationInvalid
    case notAuthenticated(IDTokenRefusal)
    case cryptographyFailed
}

extension Authenticator {
    /// What the `iss` claim of session cookies has before the project's id: what the Admin SDKs check.
    static var sessionCookieIssuerPrefix: String { "https://session.firebase.google.com/" }

    /// Makes a session cookie for a web app's own server: the claims of an ID token, for longer, from another issuer, so that
    /// neither passes for the other. The claims are those that a new ID token of the session would have. The keys that
    /// sign ID tokens sign it.
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

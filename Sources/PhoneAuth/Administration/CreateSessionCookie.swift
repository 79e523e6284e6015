internal import Encodings

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
    /// neither passes for the other. The keys that sign ID tokens sign it.
    /// - Throws: ``SessionCookieRefusal``.
    public func createSessionCookie(
        idToken: String,
        lifetime: Duration,
        in project: Project
    ) throws(SessionCookieRefusal) -> String {
        guard Policy.sessionCookieLifetimes.contains(lifetime) else { throw .durationInvalid }
        let user: AuthenticatedUser
        do { user = try authenticate(idToken: idToken, in: project) } catch { throw .notAuthenticated(error) }
        let now = environment.now()
        let payload = JSONWriter.object { json in
            json.member("iss", Self.sessionCookieIssuerPrefix + project.id)
            for (name, value) in user.token.claims.members where !["iss", "iat", "exp"].contains(name) {
                json.member(name, value)
            }
            json.member("iat", now.seconds)
            json.member("exp", (now + lifetime).seconds)
        }
        do { return try keys.signingKey(at: now).sign(payload) } catch { throw .cryptographyFailed }
    }
}

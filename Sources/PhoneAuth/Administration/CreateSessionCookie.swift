/// Why no session cookie was created.
public enum SessionCookieRefusal: OperationRefusal, UserRefusal {
    /// Outside ``SessionCookie/lifetimes``.
    case durationInvalid
    case notAuthenticated(IDTokenRefusal)
    case failed(OperationFailure)
}

extension OperationContext {
    /// Creates a session cookie for a web app's own server: the claims of an ID token with a longer lifetime. The
    /// different issuer prevents either from being accepted as the other. The claims are those of a new ID token of the
    /// session, and the signing key is the same.
    /// - Throws: ``SessionCookieRefusal``.
    public func createSessionCookie(idToken: String, lifetime: Duration) throws(SessionCookieRefusal) -> String {
        guard SessionCookie.lifetimes.contains(lifetime) else { throw .durationInvalid }
        let user = try SessionCookieRefusal.wrapping(
            refusalOf: authenticate(idToken: idToken, for: .createSessionCookie)
        )
        let cookie = IDToken(
            of: user.account,
            in: user.session,
            revocation: user.record.revocation,
            issuedAt: now,
            lifetime: lifetime,
            kind: .sessionCookie,
            in: project
        )
        return try SessionCookieRefusal.wrapping(failureOf: sign(cookie))
    }
}

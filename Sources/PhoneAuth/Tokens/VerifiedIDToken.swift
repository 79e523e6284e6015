internal import Encodings

/// An ID token, or a session cookie, that one of our keys signed for this project and that has not expired. Its account
/// may have been deleted since.
struct VerifiedIDToken: Sendable, Confidential {
    let token: CompactJWT
    let uid: String
    /// In seconds since the Unix epoch.
    let issuedAt: Int64
    /// In seconds since the Unix epoch.
    let authTime: Int64
    let provider: SignInProvider
    /// The second factor with which the session was started.
    let secondFactor: ProvenSecondFactor?
    /// The id of the session.
    let session: String
    /// The account's revocation counter when the token was issued.
    let revocation: Int64

    /// Verifies a token of a kind (RFC 7519 § 7.2); nil if anything is invalid.
    init?(
        _ text: String,
        _ kind: TokenKind = .idToken,
        in project: Project,
        _ keys: ServerKeys,
        _ policy: Policy,
        at now: Instant
    ) {
        guard let token = CompactJWT(policy.development?.presented(text) ?? text),
            let keyID = token.keyID, let key = keys.signingKey(keyID), token.isSigned(by: key),
            let issuer = token.text("iss"), kind.includes(issuer: issuer, in: project.id),
            token.text("aud") == project.id,
            let uid = token.text("sub"),
            let expiresAt = token.seconds("exp"), now.seconds < expiresAt,
            let issuedAt = token.seconds("iat"), let authTime = token.seconds("auth_time"),
            let firebase = token.claims["firebase"]?.object,
            let provider = firebase["sign_in_provider"]?.text.flatMap(SignInProvider.init),
            let session = firebase["session_id"]?.text, let revocation = firebase["revocation"]?.integer
        else { return nil }
        self.token = token
        self.uid = uid
        self.issuedAt = issuedAt
        self.authTime = authTime
        self.provider = provider
        self.session = session
        self.revocation = revocation
        secondFactor = ProvenSecondFactor(claims: firebase)
    }
}

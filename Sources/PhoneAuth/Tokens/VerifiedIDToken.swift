internal import Encodings

/// An ID token that one of our keys signed, for this project, and whose time is not up. The account may have ended since.
struct VerifiedIDToken: Sendable, Confidential {
    let uid: String
    /// Seconds.
    let issuedAt: Int64
    /// Seconds.
    let authTime: Int64
    let provider: SignInProvider
    /// The second factor that the session was begun with.
    let secondFactor: ProvenSecondFactor?
    /// The session that it is of; nil in tokens of the version before.
    let session: String?
    /// The account's revocation counter when it was issued; nil in tokens of the version before.
    let revocation: Int64?

    /// Checks a token's text (RFC 7519 § 7.2); nil where anything is wrong.
    init?(_ text: String, in project: Project, _ keys: ServerKeys, _ policy: Policy, at now: Instant) {
        guard let token = CompactJWT(policy.development?.presented(text) ?? text),
            case .string(let keyID) = token.header["kid"], let key = keys.signingKey(keyID), token.isSigned(by: key),
            token.text("iss") == policy.issuerPrefix + project.id,
            token.text("aud") == project.id,
            let uid = token.text("sub"),
            let expiresAt = token.seconds("exp"), now.seconds < expiresAt,
            let issuedAt = token.seconds("iat"), let authTime = token.seconds("auth_time"),
            case .object(let firebase) = token.claims["firebase"],
            case .string(let name) = firebase["sign_in_provider"], let provider = SignInProvider(rawValue: name)
        else { return nil }
        self.uid = uid
        self.issuedAt = issuedAt
        self.authTime = authTime
        self.provider = provider
        secondFactor = ProvenSecondFactor(claims: firebase)
        switch (firebase["session_id"], firebase["revocation"]) {
        case (.string(let session), .number(let count)):
            guard let revocation = Int64(count) else { return nil }
            self.session = session
            self.revocation = revocation
        case (nil, nil):
            session = nil
            revocation = nil
        default: return nil
        }
    }
}

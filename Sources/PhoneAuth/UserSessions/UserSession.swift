internal import Encodings
internal import RedisStore

/// A user's session: what one sign-in began, and what goes on through refreshes and changes until it ends or is
/// revoked.
///
/// It is what the session's record in Redis says, never what a client presents: claims that were taken away do not come
/// back.
struct UserSession: Sendable {
    static let idByteCount = 16
    /// How long the ids of sessions of the version before are: the hash of the refresh token's secret.
    static let hashByteCount = 32

    /// Its id; nil for ID tokens of the version before, which name no session.
    let id: String?
    let provider: SignInProvider
    /// When the user signed in.
    let signedInAt: Instant
    /// The session's own claims: those of the custom token, or of a blocking hook's answer.
    let claims: CustomClaims?
    let secondFactor: ProvenSecondFactor?

    init?(id: String, _ record: UserSessionRecord) {
        guard let provider = SignInProvider(rawValue: record.provider) else { return nil }
        self.id = id
        self.provider = provider
        signedInAt = Instant(milliseconds: record.signedInAt)
        claims = CustomClaims(stored: record.tokenClaims)
        secondFactor = ProvenSecondFactor(record.secondFactor)
    }

    /// What an ID token of the version before says. Its session's own claims cannot be told from claims that the
    /// account has lost.
    init(_ token: VerifiedIDToken) {
        id = nil
        provider = token.provider
        signedInAt = Instant(milliseconds: token.authTime * 1000)
        claims = nil
        secondFactor = token.secondFactor
    }
}

extension TokenRequest {
    /// New tokens of a user's session, which goes on. Whatever they change is done only if the user's ID token is still
    /// good then.
    init(continuing user: AuthenticatedUser, identifiers: AuditedIdentifiers) {
        self.init(
            account: user.identity,
            provider: user.session.provider,
            signedInAt: user.session.signedInAt,
            tokenClaims: user.session.claims,
            secondFactor: user.session.secondFactor,
            auditedIdentifiers: identifiers
        )
        presented = user.presented
        continuedSession = user.session.id
    }
}

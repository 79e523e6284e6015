internal import Encodings
internal import RedisStore

/// A user's session: started by a sign-in, it continues through refreshes and changes until it ends or is revoked.
///
/// Its values come from the session's record in Redis, never from what a client presents: removed claims do not
/// reappear.
struct UserSession: Sendable {
    /// The maximum number of sessions of an account; a new session evicts the least recently used.
    static let maximumPerAccount = 100

    /// How long `lookup` and `token` accept a session's tokens after the session's own change has revoked them. The JS
    /// SDK polls its storage every 800 ms for new tokens, and signs the user out of all tabs if a request fails.
    static let formerTokenLifetime = Duration.seconds(10)

    static let idByteCount = 16
    /// The length of the ids of sessions from versions without session ids: the hash of the refresh token's secret.
    static let hashByteCount = 32

    /// The session id; nil for ID tokens from versions without sessions, which name no session.
    let id: String?
    let provider: SignInProvider
    /// When the user signed in.
    let signedInAt: Instant
    /// The session's own claims, from the custom token or from a blocking hook's response.
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

    /// Creates a session from the claims of an ID token from versions without sessions. The session's own claims cannot
    /// be distinguished from claims that the account has lost.
    init(_ token: VerifiedIDToken) {
        id = nil
        provider = token.provider
        signedInAt = Instant(milliseconds: token.authTime * 1000)
        claims = nil
        secondFactor = token.secondFactor
    }
}

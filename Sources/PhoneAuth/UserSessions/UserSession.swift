internal import Encodings
internal import RedisScripts

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

    let id: String
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
}

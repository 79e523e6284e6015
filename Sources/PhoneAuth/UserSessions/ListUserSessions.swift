public import Encodings
internal import RedisScripts

/// A session as its user and operators see it: on which device the user is signed in, and since when.
public struct ListedUserSession: Sendable, Confidential {
    /// The session id, which its ID tokens carry as `firebase.session_id`.
    public let id: String
    /// The sign-in method.
    public let provider: String
    /// The method of the second factor that the user has proven; nil if none was required.
    public let secondFactor: String?
    /// When the user signed in.
    public let signedInAt: Instant
    /// When the session last got tokens.
    public let lastUsedAt: Instant
    /// The client's name and version at the sign-in (the protocol's `X-Client-Version`); nil if unknown.
    public let client: String?
    /// A keyed hash of the client's network at the sign-in, the same hash as in the audit log; nil if no log is kept.
    public let networkHash: String?
    /// The client's name and version at the last use; nil if unknown.
    public let lastClient: String?
    /// A keyed hash of the client's network at the last use, the same hash as in the audit log; nil if no log is kept.
    public let lastNetworkHash: String?
    /// Whether it is the session of the ID token in the request.
    public let isCurrent: Bool

    /// Whether the last use was from another network than the sign-in; nil if either is unknown.
    public var isUsedFromOtherNetwork: Bool? {
        guard let networkHash, let lastNetworkHash else { return nil }
        return networkHash != lastNetworkHash
    }
}

extension OperationContext {
    /// Returns the active sessions of an ID token's user, most recently used first.
    /// - Throws: ``IDTokenRefusal``.
    public func userSessions(idToken: String) throws(IDTokenRefusal) -> [ListedUserSession] {
        let user = try authenticate(idToken: idToken, for: .listSessions)
        return try IDTokenRefusal.wrapping(sessions(of: user.identity, user.record, current: user.session.id))
    }

    /// Returns the active sessions of an account, most recently used first, for an operator.
    /// - Throws: ``AccountRefusal``.
    public func userSessions(uid: String) throws(AccountRefusal) -> [ListedUserSession] {
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        let record = try accountRecord(identity)
        return try AccountRefusal.wrapping(sessions(of: identity, record, current: nil))
    }

    private func sessions(
        of identity: AccountIdentity,
        _ account: AccountRecord,
        current: String?
    ) throws(StoreUnavailable) -> [ListedUserSession] {
        try store.userSessions(of: identity).compactMap { id, lastUsedAt, session in
            guard session.uid.hasSameBytes(as: identity.uid), !session.isEnded,
                !account.hasRevoked(session.revocation, issuedAt: Instant(milliseconds: session.issuedAt).seconds)
            else { return nil }
            return ListedUserSession(
                id: id,
                provider: session.provider,
                secondFactor: session.secondFactor?.method,
                signedInAt: Instant(milliseconds: session.signedInAt),
                lastUsedAt: Instant(milliseconds: lastUsedAt),
                client: session.client,
                networkHash: session.networkHash,
                lastClient: session.lastClient,
                lastNetworkHash: session.lastNetworkHash,
                isCurrent: id == current
            )
        }
    }
}

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
}

extension UserSession {
    init?(id: String, _ record: UserSessionRecord) {
        guard let provider = SignInProvider(rawValue: record.provider) else { return nil }
        self.init(
            id: id,
            provider: provider,
            signedInAt: Instant(milliseconds: record.signedInAt),
            claims: CustomClaims(stored: record.tokenClaims),
            secondFactor: ProvenSecondFactor(record.secondFactor)
        )
    }
}

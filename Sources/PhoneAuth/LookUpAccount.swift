public import RedisStore

/// Why an ID token names no account that may act.
public enum IDTokenRefusal: Error {
    /// Its form, signature, issuer, audience or time is wrong.
    case tokenInvalid
    case accountUnknown
    case accountDisabled
    /// Issued before the account's tokens were revoked.
    case tokenRevoked
    /// The user signed in too long ago for the operation, see ``IDTokenOperation``.
    case signInTooOld
    case unavailable(StoreUnavailable)
}

/// A user whom an ID token proves. What the user may do depends on how recent the sign-in is:
/// ``Authenticator/authorize(_:for:in:)``.
struct IdentifiedUser {
    fileprivate let identity: AccountIdentity
    let account: Account
    fileprivate let record: AccountRecord
    let session: UserSession
    fileprivate let presented: PresentedToken

    /// Whether the account can be reached without the token. Anonymous accounts cannot.
    fileprivate var hasWayToSignIn: Bool {
        record.sealedNumber != nil || record.sealedEmail != nil && record.sealedPassword != nil
    }
}

/// A user whom an ID token proves, and whose sign-in is recent enough for the operation.
struct AuthenticatedUser {
    let identity: AccountIdentity
    let account: Account
    let record: AccountRecord
    let session: UserSession
    /// The token, as scripts compare it again when they write on its behalf.
    let presented: PresentedToken

    /// A user who `signedInRecently`. Otherwise, the user may add a way to sign in but replace none, so scripts compare
    /// the account's ways to sign in again.
    fileprivate init(_ user: IdentifiedUser, signedInRecently: Bool) {
        identity = user.identity
        account = user.account
        record = user.record
        session = user.session
        var presented = user.presented
        if !signedInRecently { presented.waysToSignIn = user.record.waysToSignIn }
        self.presented = presented
    }
}

extension Authenticator {
    /// The account that an ID token proves.
    /// - Throws: ``IDTokenRefusal``.
    public func lookUpAccount(idToken: String, in project: Project) throws(IDTokenRefusal) -> Account {
        try authenticate(idToken: idToken, for: .lookUp, in: project).account
    }

    /// The user that an ID token proves, if the sign-in is recent enough for the operation.
    func authenticate(
        idToken: String,
        for operation: IDTokenOperation,
        in project: Project
    ) throws(IDTokenRefusal) -> AuthenticatedUser {
        try authorize(try identify(idToken: idToken, in: project), for: [operation], in: project)
    }

    /// Checks that a user's sign-in is recent enough for all of these operations.
    func authorize(
        _ user: IdentifiedUser,
        for operations: [IDTokenOperation],
        in project: Project
    ) throws(IDTokenRefusal) -> AuthenticatedUser {
        let signedInRecently = isRecent(user.session.signedInAt)
        for operation in operations {
            let isFresh =
                switch operation.freshness {
                case .any: true
                case .recent: signedInRecently
                case .recentToLink:
                    signedInRecently || !project.linkingNeedsRecentSignIn
                        || user.session.provider == .anonymous && !user.hasWayToSignIn
                case .recentAtStart: isRecent(user.session.signedInAt, orWasFor: policy.longestEnrollment)
                }
            guard isFresh else { throw .signInTooOld }
        }
        return AuthenticatedUser(user, signedInRecently: signedInRecently)
    }

    /// The user that an ID token proves, for operations whose kind depends on the account.
    func identify(idToken: String, in project: Project) throws(IDTokenRefusal) -> IdentifiedUser {
        try identify(try verify(idToken, in: project), in: project)
    }

    /// What an ID token says, whatever has become of its account.
    func verify(_ idToken: String, in project: Project) throws(IDTokenRefusal) -> VerifiedIDToken {
        guard let token = VerifiedIDToken(idToken, in: project, keys, policy, at: environment.now()) else {
            throw .tokenInvalid
        }
        return token
    }

    /// A token as scripts compare it with account and session when they write on its behalf.
    func presented(_ token: VerifiedIDToken, of account: AccountIdentity) -> PresentedToken {
        PresentedToken(
            session: token.session.map {
                UserSessionIdentity(project: account.project, hash: $0, shard: account.shard)
            },
            revocation: token.revocation,
            issuedAt: token.issuedAt,
            requestID: requester.requestID
        )
    }

    /// The user of a token, where the account may still act. All but the user's identity comes from the session's
    /// record.
    func identify(_ token: VerifiedIDToken, in project: Project) throws(IDTokenRefusal) -> IdentifiedUser {
        let identity = AccountIdentity(project: project.id, uid: token.uid, among: store.shards)
        let presented = presented(token, of: identity)
        let record: AccountRecord?
        let sessionRecord: UserSessionRecord?
        do throws(StoreUnavailable) {
            (record, sessionRecord) = try store.account(identity, session: presented.session)
        } catch {
            throw .unavailable(error)
        }
        guard let record else { throw .accountUnknown }
        // The front end repeats a request whose worker died, perhaps after it revoked its own token.
        let isRepeated = requester.requestID.map { $0 == record.revokingRequestID } ?? false
        guard isRepeated || !record.hasRevoked(token.revocation, issuedAt: token.issuedAt),
            let session = session(of: token, sessionRecord)
        else { throw .tokenRevoked }
        let account = Account(identity, record, keys)
        guard !account.isDisabled else { throw .accountDisabled }
        return IdentifiedUser(
            identity: identity,
            account: account,
            record: record,
            session: session,
            presented: presented
        )
    }

    /// A token's session; nil if it ended.
    private func session(of token: VerifiedIDToken, _ record: UserSessionRecord?) -> UserSession? {
        guard let id = token.session else { return UserSession(token) }
        guard let record, record.uid == token.uid, !record.isEnded else { return nil }
        return UserSession(id: id, record)
    }

    /// Whether a sign-in was at most ``Policy/recentSignIn`` ago, or was so before an operation that takes up to
    /// `duration`.
    func isRecent(_ signedInAt: Instant, orWasFor duration: Duration = .zero) -> Bool {
        environment.now().seconds - signedInAt.seconds <= (policy.recentSignIn + duration).components.seconds
    }
}

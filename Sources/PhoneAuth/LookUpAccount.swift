public import RedisStore

/// Why an ID token names no account that may act.
public enum IDTokenRefusal: Error {
    /// Its form, signature, issuer, audience or time is wrong.
    case tokenInvalid
    case accountUnknown
    case accountDisabled
    /// Issued before the account's tokens were revoked.
    case tokenRevoked
    case unavailable(StoreUnavailable)
}

/// A user whom an ID token proves.
struct AuthenticatedUser {
    let identity: AccountIdentity
    let account: Account
    let record: AccountRecord
    let token: VerifiedIDToken
    let session: UserSession
    /// The token, as scripts compare it again when they write on its behalf.
    let presented: PresentedToken
}

extension Authenticator {
    /// The account that an ID token proves.
    /// - Throws: ``IDTokenRefusal``.
    public func lookUpAccount(idToken: String, in project: Project) throws(IDTokenRefusal) -> Account {
        try authenticate(idToken: idToken, in: project).account
    }

    /// The user that an ID token proves.
    func authenticate(idToken: String, in project: Project) throws(IDTokenRefusal) -> AuthenticatedUser {
        try authenticate(try verify(idToken, in: project), in: project)
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

    /// The user of a token, where the account may still act. All but the user's identity comes from the session's record.
    func authenticate(_ token: VerifiedIDToken, in project: Project) throws(IDTokenRefusal) -> AuthenticatedUser {
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
        return AuthenticatedUser(
            identity: identity,
            account: account,
            record: record,
            token: token,
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

    /// Whether a token's user signed in so lately that it may do what a thief of the token must not.
    func isRecent(_ token: VerifiedIDToken) -> Bool {
        environment.now().seconds - token.authTime <= policy.recentSignIn.components.seconds
    }
}

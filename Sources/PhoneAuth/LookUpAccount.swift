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

    /// The user of a token, where the account may still act.
    func authenticate(_ token: VerifiedIDToken, in project: Project) throws(IDTokenRefusal) -> AuthenticatedUser {
        let identity = AccountIdentity(project: project.id, uid: token.uid, among: store.shards)
        let record: AccountRecord?
        do {
            record = try store.account(identity)
        } catch {
            throw .unavailable(error)
        }
        guard let record else { throw .accountUnknown }
        let account = Account(identity, record, keys)
        guard !account.hasRevoked(issuedAt: token.issuedAt) else { throw .tokenRevoked }
        guard !account.isDisabled else { throw .accountDisabled }
        return AuthenticatedUser(identity: identity, account: account, record: record, token: token)
    }

    /// Whether a token's user signed in so lately that it may do what a thief of the token must not.
    func isRecent(_ token: VerifiedIDToken) -> Bool {
        environment.now().seconds - token.authTime <= policy.recentSignIn.components.seconds
    }
}

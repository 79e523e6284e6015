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

extension Authenticator {
    /// The account that an ID token proves.
    /// - Throws: ``IDTokenRefusal``.
    public func lookUpAccount(idToken: String, in project: Project) throws(IDTokenRefusal) -> Account {
        guard let token = VerifiedIDToken(idToken, in: project, keys, policy, at: environment.now()) else {
            throw .tokenInvalid
        }
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
        return account
    }
}

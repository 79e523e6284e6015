internal import Encodings
public import RedisScripts

/// Why an account was not deleted.
public enum DeleteAccountRefusal: StoreRefusal, UserRefusal {
    case notAuthenticated(IDTokenRefusal)
    case unavailable(StoreUnavailable)
}

extension OperationContext {
    /// Deletes the account of an ID token's user.
    ///
    /// The account is deleted first, then its number and its e-mail address. If a worker dies in between, their claims
    /// lead to no account, and the next sign-in with one creates a new account; the old one never reappears.
    /// - Throws: ``DeleteAccountRefusal``.
    public func deleteAccount(idToken: String) throws(DeleteAccountRefusal) {
        let token = try DeleteAccountRefusal.wrapping(refusalOf: verify(idToken))
        var identifiers = AuditedIdentifiers()
        do {
            let user = try authorize(try identify(token), for: [.deleteAccount])
            identifiers = self.identifiers(of: user)
        } catch {
            // This request may be a retry of the one that deleted the account.
            let signedInAt = Instant(milliseconds: token.authTime * 1000)
            guard case .accountUnknown = error, isRecent(signedInAt) else { throw .notAuthenticated(error) }
        }
        let identity = AccountIdentity(project: project.id, uid: token.uid, among: store.shards)
        let presented = presented(token, of: identity)
        let deletion = try DeleteAccountRefusal.wrapping(
            deleteAccount(identity, identifiers, onBehalfOf: presented)
        )
        switch deletion {
        case .deleted: break
        case .noAccount: throw .notAuthenticated(.accountUnknown)
        case .tokenRevoked: throw .notAuthenticated(.tokenRevoked)
        }
    }
}

internal import Encodings
public import RedisStore

/// Why an account was not deleted.
public enum DeleteAccountRefusal: Error {
    case notAuthenticated(IDTokenRefusal)
    case unavailable(StoreUnavailable)
}

extension Authenticator {
    /// Deletes the account of an ID token's user.
    ///
    /// The account is deleted first, then its number and its e-mail address. If a worker dies in between, their claims
    /// lead to no account, and the next sign-in with one creates a new account; the old one never reappears.
    /// `requestID` identifies this request; it is the same when a front end retries the request because a worker died.
    /// - Throws: ``DeleteAccountRefusal``.
    public func deleteAccount(
        idToken: String,
        requestID: String,
        in project: Project
    ) throws(DeleteAccountRefusal) {
        let token: VerifiedIDToken
        do { token = try verify(idToken, in: project) } catch { throw .notAuthenticated(error) }
        var identifiers = AuditedIdentifiers()
        do {
            let user = try authorize(try identify(token, in: project), for: [.deleteAccount], in: project)
            identifiers = self.identifiers(of: user, in: project)
        } catch {
            // This request may be a retry of the one that deleted the account.
            let signedInAt = Instant(milliseconds: token.authTime * 1000)
            guard case .accountUnknown = error, isRecent(signedInAt) else { throw .notAuthenticated(error) }
        }
        let identity = AccountIdentity(project: project.id, uid: token.uid, among: store.shards)
        let presented = presented(token, of: identity)
        let deletion: AccountDeletion
        do {
            deletion = try deleteAccount(
                identity,
                identifiers,
                onBehalfOf: presented,
                requestID: requestID,
                in: project
            )
        } catch {
            throw .unavailable(error)
        }
        switch deletion {
        case .deleted: break
        case .noAccount: throw .notAuthenticated(.accountUnknown)
        case .tokenRevoked: throw .notAuthenticated(.tokenRevoked)
        }
    }

    /// Deletes an account, on behalf of an ID token if there is one. The audit event names the known identifiers.
    func deleteAccount(
        _ identity: AccountIdentity,
        _ known: AuditedIdentifiers = AuditedIdentifiers(),
        onBehalfOf presented: PresentedToken? = nil,
        requestID: String,
        in project: Project
    ) throws(StoreUnavailable) -> AccountDeletion {
        let deletion = try store.deleteAccount(
            identity,
            onBehalfOf: presented,
            requestID: requestID,
            markMilliseconds: Policy.deletionMarkLifetime.milliseconds,
            audit: audit(about: known, in: project)
        )
        if case .deleted(let identifiers) = deletion { release(identifiers, of: identity, in: project) }
        return deletion
    }
}

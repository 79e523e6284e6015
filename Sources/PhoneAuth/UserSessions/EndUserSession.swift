internal import Encodings
public import RedisScripts

/// Why a session was not ended.
public enum EndUserSessionRefusal: StoreRefusal, UserRefusal {
    case notAuthenticated(IDTokenRefusal)
    /// The account has no session with this id, or the session has ended.
    case sessionUnknown
    case accountUnknown
    case unavailable(StoreUnavailable)
}

extension OperationContext {
    /// Ends (revokes) one session of an ID token's user: its refresh token at once, and its ID tokens wherever this
    /// deployment verifies them. Other servers that verify only signatures accept the ID tokens until they expire.
    ///
    /// An attacker with an old, stolen token must not be able to sign the user out. So ending a session other than the
    /// token's own requires a recent sign-in.
    /// - Throws: ``EndUserSessionRefusal``.
    public func endUserSession(_ id: String, idToken: String) throws(EndUserSessionRefusal) {
        let user: AuthenticatedUser
        do throws(IDTokenRefusal) {
            let identified = try identify(idToken: idToken)
            let operation: IDTokenOperation = id == identified.session.id ? .endOwnSession : .endSession
            user = try authorize(identified, for: [operation])
        } catch {
            throw .notAuthenticated(error)
        }
        try end(id, of: user.identity, onBehalfOf: user.presented, identifiers(of: user))
    }

    /// Ends (revokes) one session of an account, for an operator.
    /// - Throws: ``EndUserSessionRefusal``.
    public func endUserSession(_ id: String, uid: String) throws(EndUserSessionRefusal) {
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        let record = try EndUserSessionRefusal.wrapping(store.account(identity))
        guard let record else { throw .accountUnknown }
        let known = identifiers(of: Account(identity, record, keys), record)
        try end(id, of: identity, onBehalfOf: nil, known)
    }

    private func end(
        _ id: String,
        of account: AccountIdentity,
        onBehalfOf presented: PresentedToken?,
        _ known: AuditedIdentifiers
    ) throws(EndUserSessionRefusal) {
        guard Base64URL.decode(id.utf8)?.count == UserSession.idByteCount else { throw .sessionUnknown }
        let ending = try EndUserSessionRefusal.wrapping(
            store.endSession(
                id,
                of: account,
                onBehalfOf: presented,
                audit: audit(about: known)
            )
        )
        switch ending {
        case .ended: break
        case .noSession: throw .sessionUnknown
        case .tokenRevoked: throw .notAuthenticated(.tokenRevoked)
        }
    }
}

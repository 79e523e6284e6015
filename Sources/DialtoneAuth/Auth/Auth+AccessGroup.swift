internal import Foundation

/// Sessions that several apps of one developer share through a keychain access group.
extension Auth {
    /// The keychain access group whose session this app uses; nil if the app has its own session.
    public var userAccessGroup: String? {
        restore()
        return state.withLock { $0.accessGroup }
    }

    /// Uses the session of an access group from now on, also after a restart; for nil, the app's own session.
    ///
    /// The group's user becomes the current user. The app's own session is deleted: to keep it, pass the previous user
    /// to ``updateCurrentUser(_:)`` afterwards. When an app uses a group's session, it adopts tokens that another app
    /// of the group has refreshed, and it notices sign-outs.
    /// - Parameter accessGroup: the group, with its team prefix, as in the app's entitlement.
    /// - Throws: ``AuthErrorCode/keychainError`` if the group cannot be used. In that case, nothing changes.
    public func useUserAccessGroup(_ accessGroup: String?) throws {
        restore()
        try state.withLock { state in
            // Until the app's own session is known, no user may become the current one.
            guard state.isRestored else { throw AuthErrorCode.keychainError.error("The store cannot be read yet.") }
            guard state.place.key == StoredSession.key else {
                throw AuthErrorCode.keychainError.error("An emulator's session cannot be shared.")
            }
            let place = try storing { try SessionPlace(of: accessGroup, in: store) }
            let session = try storing { try place.session() }
            try storing {
                if let accessGroup {
                    try store.write(Data(accessGroup.utf8), for: StoredSession.accessGroupKey)
                    // If one session were in two places, it would be taken for a copy. If the app ends here or the
                    // removal fails, `restore()` removes it.
                    try? store.remove(StoredSession.key)
                } else {
                    try store.remove(StoredSession.accessGroupKey)
                }
            }
            (state.place, state.accessGroup) = (place, accessGroup)
            if let user = state.user, session?.tokens == user.tokens { return }
            take(session, in: &state)
        }
    }

    /// Returns the user whose session is stored for an access group, or for the app itself if the group is nil; nil if
    /// no session is stored. The user becomes the current user only through ``updateCurrentUser(_:)``.
    ///
    /// - Throws: ``AuthErrorCode/keychainError`` if the group cannot be used.
    public func getStoredUser(forAccessGroup accessGroup: String?) throws -> User? {
        try storing { try SessionPlace(of: accessGroup, in: store).session() }
            .map { User(self, $0.account, $0.tokens) }
    }

    /// Adopts what another app of the group has stored: newer tokens, a sign-out, or another user.
    func followGroup(_ user: User) {
        state.withLock { state in
            guard state.accessGroup != nil, state.user === user else { return }
            followGroup(user, in: &state)
        }
    }

    /// Adopts what another app of the group has stored. Returns whether the user is still the current one.
    @discardableResult func followGroup(_ user: User, in state: inout State) -> Bool {
        let session: StoredSession?
        // If the store cannot be read, nothing is known, and the user stays.
        do { session = try state.place.session() } catch { return true }
        guard let session, session.account.uid == user.uid else {
            take(session, in: &state)
            return false
        }
        if user.takeNewer(session.tokens) {
            notify(state.listeners.filter { !$0.isOfState }, user, isChange: true)
        }
        return true
    }
}

/// Where a session is stored.
struct SessionPlace: Sendable {
    let store: any AuthStore
    var key = StoredSession.key

    init(of accessGroup: String?, in store: any AuthStore) throws {
        self.store = try accessGroup.map(store.store) ?? store
    }

    init(_ store: any AuthStore, key: String = StoredSession.key) {
        self.store = store
        self.key = key
    }

    /// Returns the stored session; nil if none is stored, or if its data cannot be decoded: such data cannot be
    /// repaired.
    func session() throws -> StoredSession? {
        guard let data = try store.read(key), let session = try? JSONDecoder().decode(StoredSession.self, from: data),
            let claims = try? IDTokenClaims(session.tokens.idToken), claims.uid == session.account.uid
        else { return nil }
        return session
    }
}

internal import Foundation

/// Sessions that several apps of one developer share through an access group of the keychain.
extension Auth {
    /// The access group whose session this app uses; nil for a session of its own.
    public var userAccessGroup: String? {
        restore()
        return state.withLock { $0.accessGroup }
    }

    /// Uses the session of an access group from now on, also after a restart, or one of the app's own for nil.
    ///
    /// The group's user becomes the current one. The app's own session is forgotten: to keep it, pass the former user
    /// to ``updateCurrentUser(_:)`` afterwards. Apps of a group take over tokens that another one has refreshed, and
    /// notice its sign-out, when they use the session.
    ///
    /// - Parameter accessGroup: the group, with its team prefix, as in the app's entitlement.
    /// - Throws: ``AuthErrorCode/keychainError`` if the group cannot be used. Then nothing changes.
    public func useUserAccessGroup(_ accessGroup: String?) throws {
        restore()
        try state.withLock { state in
            // Nobody may be signed in by an app whose own session is not known yet.
            guard state.isRestored else { throw AuthErrorCode.keychainError.error("The store cannot be read yet.") }
            guard state.place.key == StoredSession.key else {
                throw AuthErrorCode.keychainError.error("The session of an emulator cannot be shared.")
            }
            let place = try storing { try SessionPlace(of: accessGroup, in: store) }
            let session = try storing { try place.session() }
            try storing {
                if let accessGroup {
                    try store.write(Data(accessGroup.utf8), for: StoredSession.accessGroupKey)
                    // One session in two places would be taken for a copied one. If the app ends here or the removal
                    // fails, `restore()` removes it.
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

    /// Returns the user whose session an access group has, or the app's own for nil; nil if there is none. The user
    /// becomes the current one by ``updateCurrentUser(_:)``.
    ///
    /// - Throws: ``AuthErrorCode/keychainError`` if the group cannot be used.
    public func getStoredUser(forAccessGroup accessGroup: String?) throws -> User? {
        try storing { try SessionPlace(of: accessGroup, in: store).session() }
            .map { User(self, $0.account, $0.tokens) }
    }

    /// Makes what another app of the group has stored known to this one: newer tokens, a sign-out, another user.
    func followGroup(_ user: User) {
        state.withLock { state in
            guard state.accessGroup != nil, state.user === user else { return }
            followGroup(user, in: &state)
        }
    }

    /// Returns whether the user still is the current one.
    @discardableResult func followGroup(_ user: User, in state: inout State) -> Bool {
        let session: StoredSession?
        // A store that cannot be read says nothing.
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

    /// Returns the stored session; nil if there is none, or the data have another form: they cannot be repaired.
    func session() throws -> StoredSession? {
        guard let data = try store.read(key), let session = try? JSONDecoder().decode(StoredSession.self, from: data),
            let claims = try? IDTokenClaims(session.tokens.idToken), claims.uid == session.account.uid
        else { return nil }
        return session
    }
}

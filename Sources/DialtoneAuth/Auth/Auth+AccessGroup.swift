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
    /// to ``updateCurrentUser(_:)`` afterwards. From then on the app notices what other apps of the group have done:
    /// it adopts their tokens, sign-ins and sign-outs when it reads ``currentUser``, gets an ID token, or comes to the
    /// foreground.
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
            let place = try storing { try self.place(ofGroup: accessGroup) }
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
        try storing { try place(ofGroup: accessGroup).session() }
            .map { User(self, $0.account, $0.tokens) }
    }

    /// Returns the place of a group's session; of the app's own one for nil.
    func place(ofGroup accessGroup: String?) throws -> SessionPlace {
        SessionPlace(store: try accessGroup.map(store.store) ?? store, project: options.projectID)
    }

    /// Adopts what another app of the group has stored: newer tokens, a sign-in or a sign-out.
    func followGroup() {
        state.withLock { state in
            if state.accessGroup != nil, state.isRestored { followGroup(in: &state) }
        }
    }

    /// Adopts what another app of the group has stored. Returns whether the current user is the same as before.
    @discardableResult func followGroup(in state: inout State) -> Bool {
        let session: StoredSession?
        // If the store cannot be read, nothing is known, and the user stays.
        do { session = try state.place.session() } catch { return true }
        guard let user = state.user, let session, session.account.uid == user.uid else {
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
    /// The project of the session; nil for any.
    var project: String?
    var key = StoredSession.key

    /// Returns the stored session; nil if none is stored, if it is another project's, or if its data cannot be decoded:
    /// such data cannot be repaired. The next session replaces it.
    func session() throws -> StoredSession? {
        guard let data = try store.read(key), let session = try? JSONDecoder().decode(StoredSession.self, from: data),
            let claims = try? IDTokenClaims(session.tokens.idToken), claims.uid == session.account.uid,
            project == nil || claims.audience == project
        else { return nil }
        return session
    }
}

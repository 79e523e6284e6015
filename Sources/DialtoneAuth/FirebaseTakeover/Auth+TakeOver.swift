internal import Foundation

extension Auth {
    /// Takes over the session of the Firebase SDK, so that the user need not sign in again. Call it at each start,
    /// before the app shows its sign-in screen.
    ///
    /// A session is taken over once. The SDK's keychain item is removed only after Dialtone's session is stored; if the
    /// app ends in between, the next call continues. A user who has signed in with Dialtone is never replaced.
    ///
    /// ```swift
    /// let places = FirebaseSessionPlace.all(googleAppID: "1:123:ios:abc", apiKey: "…")
    /// try await Auth.auth().takeOver(FirebaseTakeover(from: places))
    /// ```
    ///
    /// - Parameter takeover: where to look for the session, and how to exchange it.
    /// - Returns: whether a session was taken over.
    /// - Throws: ``AuthErrorCode/keychainError`` if the keychain cannot be read yet or an item of the SDK is malformed,
    ///   ``AuthErrorCode/networkError``, ``AuthErrorCode/userMismatch`` if the exchange returned another user, or the
    ///   error of the exchange. In each case nothing is lost: call it again at the next start.
    @discardableResult public func takeOver(_ takeover: FirebaseTakeover) async throws -> FirebaseTakeoverResult {
        let signOuts = signOuts
        return try await takeovers.value(signOuts) {
            try await runToEnd { try await FirebaseTakeoverAttempt(self, takeover, since: signOuts).result() }
        }
    }
}

/// One attempt to take over a session.
private struct FirebaseTakeoverAttempt {
    /// The longest time of an exchange, in seconds.
    private static let longestExchange: TimeInterval = 30

    private struct Found {
        let place: FirebaseSessionPlace
        let session: FirebaseSession
        let digest: String
    }

    private let auth: Auth
    private let takeover: FirebaseTakeover
    private let signOuts: Int

    init(_ auth: Auth, _ takeover: FirebaseTakeover, since signOuts: Int) {
        self.auth = auth
        self.takeover = takeover
        self.signOuts = signOuts
    }

    func result() async throws -> FirebaseTakeoverResult {
        _ = try auth.api()
        let present = auth.currentUser
        guard auth.state.withLock({ $0.isRestored }) else {
            throw AuthErrorCode.keychainError.error("The session cannot be read yet: the device is locked.")
        }
        var done = try auth.storing { try TakenOverSessions(auth.store) }
        let (sessions, fault) = try sessions()
        for found in sessions where done.contains(found.digest) { remove(found) }
        let open = sessions.filter { !done.contains($0.digest) }
        if let present {
            // The app may have ended before it recorded that the session was taken over.
            for found in open {
                try auth.storing { try done.insert(found.digest) }
                if found.session.uid == present.uid { remove(found) }
            }
            return .nothingToDo
        }
        guard let found = open.first else {
            if let fault { throw fault }
            return .nothingToDo
        }
        let user = try await user(found.session)
        let isCurrent = try auth.becomeUnlessSignedIn(user, since: signOuts)
        // The user is signed in. The next call completes whatever fails from here on.
        for found in open { try? done.insert(found.digest) }
        guard isCurrent else { return .nothingToDo }
        remove(found)
        return .takenOver(user)
    }

    /// Returns the sessions that can be read, and the reason if one cannot be read.
    private func sessions() throws -> (sessions: [Found], fault: NSError?) {
        var fault: NSError?
        var sessions: [Found] = []
        for place in takeover.places {
            guard let archive = try takeover.keychain.data(of: place.item) else { continue }
            guard let session = FirebaseSession(archive: archive, key: place.key) else {
                fault = AuthErrorCode.keychainError.error(
                    "The Firebase SDK's keychain item has an unknown format. The user must sign in again."
                )
                continue
            }
            let digest = sha256(Array(session.refreshToken.utf8)).map { String(format: "%02x", $0) }.joined()
            sessions.append(Found(place: place, session: session, digest: digest))
        }
        return (sessions, fault)
    }

    /// Exchanges a session, and returns its user, who is not the current user yet.
    private func user(_ session: FirebaseSession) async throws -> User {
        let exchange = try takeover.exchange ?? DialtoneExchange(api: auth.api())
        let exchanged = try await withDeadline(
            seconds: Self.longestExchange,
            { AuthErrorCode.networkError.error("The Firebase SDK's session was not exchanged in time.") },
            { try await exchange.exchange(session) }
        )
        let tokens: Tokens
        switch exchanged {
        case .tokens(let idToken, let refreshToken):
            tokens = try Tokens(idToken: idToken, refreshToken: refreshToken)
        case .customToken(let token):
            let response = try await auth.exchange(customToken: token)
            guard let idToken = response.idToken, let refreshToken = response.refreshToken else {
                throw AuthErrorCode.internalError.error("The server's response to the custom token has no tokens.")
            }
            tokens = try Tokens(idToken: idToken, refreshToken: refreshToken)
        }
        let claims = try IDTokenClaims(tokens.idToken)
        guard claims.uid == session.uid else {
            throw AuthErrorCode.userMismatch.error("The Firebase SDK's session was exchanged for another user's.")
        }
        let user = User(auth, Account(claims), tokens)
        try await user.fetchAccountIfPossible()
        return user
    }

    /// Removes the SDK's item. If that fails, the next call tries again.
    private func remove(_ found: Found) {
        guard !found.place.isShared || takeover.removesSharedSessions else { return }
        try? takeover.keychain.remove(found.place.item)
    }
}

/// The exchange by Dialtone's server.
private struct DialtoneExchange: FirebaseSessionExchange {
    let api: APIClient

    func exchange(_ session: FirebaseSession) async throws -> ExchangedFirebaseSession {
        let response = try await api.post(
            "/v1/token",
            JSONFields(["grantType": "refresh_token", "refreshToken": session.refreshToken]),
            as: RefreshResponse.self
        )
        return .tokens(idToken: response.access_token, refreshToken: response.refresh_token)
    }
}

/// The sessions that were taken over or superseded, by the digests of their refresh tokens. Without this record, a
/// session whose item could not be removed would come back after a sign-out.
private struct TakenOverSessions {
    private static let key = "firebase-sessions"
    /// More sessions than one app has.
    private static let mostDigests = 16

    private let store: any AuthStore
    private var digests: [String]

    init(_ store: any AuthStore) throws {
        self.store = store
        let data = try store.read(Self.key)
        digests = data.flatMap { try? JSONDecoder().decode([String].self, from: $0) } ?? []
    }

    func contains(_ digest: String) -> Bool { digests.contains(digest) }

    mutating func insert(_ digest: String) throws {
        guard !contains(digest) else { return }
        let next = Array((digests + [digest]).suffix(Self.mostDigests))
        try store.write(try JSONEncoder().encode(next), for: Self.key)
        digests = next
    }
}

import Foundation
import Processes
import TestServers
import Testing

@testable import DialtoneAuth

/// The takeover of the Firebase SDK's session, with a mock endpoint and keychain.
@Suite struct FirebaseTakeoverTests {
    struct Endpoint: FirebaseSessionExchange {
        let sessions = Mutexed<[FirebaseSession]>([])
        let answer: @Sendable (FirebaseSession) async throws -> ExchangedFirebaseSession

        init(
            _ answer: @escaping @Sendable (FirebaseSession) async throws -> ExchangedFirebaseSession = {
                .tokens(idToken: idToken(of: $0.uid), refreshToken: "dialtone-\($0.uid)")
            }
        ) {
            self.answer = answer
        }

        func exchange(_ session: FirebaseSession) async throws -> ExchangedFirebaseSession {
            sessions.with { $0.append(session) }
            return try await answer(session)
        }
    }

    /// A store in which writing some keys can fail.
    struct FailingStore: AuthStore {
        let base: FileStore
        let failing = Mutexed<Set<String>>([])

        func read(_ key: String) throws -> Data? { try base.read(key) }
        func write(_ data: Data, for key: String) throws {
            if failing.with({ $0.contains(key) }) { throw AuthErrorCode.keychainError.error() }
            try base.write(data, for: key)
        }
        func remove(_ key: String) throws { try base.remove(key) }
    }

    private let keychain = TestKeychain()
    private let place = FirebaseSessionPlace.app(googleAppID: "1:123:ios:abc")
    private let server: StandIn
    private let folder: TemporaryFolder

    init() throws {
        server = try StandIn { _ in StandIn.Answer(status: 503, body: "") }
        folder = try TemporaryFolder(prefix: "dialtone-auth")
    }

    /// Starts the app, or starts it again.
    private func app() throws -> Auth { try TestApp(server.url, folder: folder).auth }

    private func put(_ uid: String, refreshToken: String = "firebase-refresh", in place: FirebaseSessionPlace? = nil) {
        let place = place ?? self.place
        let archive = ArchivedUser.archive(uid, refreshToken: refreshToken, key: place.key)
        keychain.items.with { $0[place.item] = archive }
    }

    private func takeover(_ endpoint: Endpoint, from places: [FirebaseSessionPlace]? = nil) -> FirebaseTakeover {
        FirebaseTakeover(from: places ?? [place], by: endpoint, in: keychain)
    }

    private func isTakenOver(_ result: FirebaseTakeoverResult) -> String? {
        if case .takenOver(let user) = result { return user.uid }
        return nil
    }

    @Test("the Firebase SDK's user is signed in once, without any action, and the keychain item is removed")
    func takeOver() async throws {
        put("ann")
        let endpoint = Endpoint()
        let auth = try app()
        #expect(isTakenOver(try await auth.takeOver(takeover(endpoint))) == "ann")
        let session = try #require(endpoint.sessions.with { $0.first })
        #expect(session.refreshToken == "firebase-refresh" && session.idToken == "firebase-id-token")
        #expect(auth.currentUser?.refreshToken == "dialtone-ann")
        #expect(auth.currentUser?.phoneNumber == "+16505550101")
        #expect(keychain.items.with { $0.isEmpty })
        let restarted = try app()
        #expect(restarted.currentUser?.uid == "ann")
        #expect(isTakenOver(try await restarted.takeOver(takeover(endpoint))) == nil)
        #expect(endpoint.sessions.with { $0.count } == 1)
    }

    @Test("without an exchange of the app's own, Dialtone's server gets the Firebase refresh token")
    func dialtoneServer() async throws {
        put("ann", refreshToken: "AMf-vB")
        let dialtone = try StandIn { request in
            guard request.path.contains("/v1/token") else { return StandIn.Answer(status: 503, body: "") }
            let token = idToken(of: "ann")
            return StandIn.Answer(
                body: #"{"access_token":"\#(token)","id_token":"\#(token)","refresh_token":"dialtone-ann"}"#
            )
        }
        let auth = try TestApp(dialtone.url, folder: folder).auth
        #expect(isTakenOver(try await auth.takeOver(FirebaseTakeover(from: [place], by: nil, in: keychain))) == "ann")
        let request = try #require(dialtone.requests.first)
        #expect(request.body.contains(#""refreshToken":"AMf-vB""#) && auth.currentUser?.refreshToken == "dialtone-ann")
        #expect(keychain.items.with { $0.isEmpty })
    }

    @Test("concurrent calls cause one exchange")
    func concurrent() async throws {
        put("ann")
        let endpoint = Endpoint()
        let auth = try app()
        let takeover = takeover(endpoint)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await auth.takeOver(takeover) } }
            try await group.waitForAll()
        }
        #expect(endpoint.sessions.with { $0.count } == 1)
        #expect(auth.currentUser?.uid == "ann")
    }

    @Test("without a session, nothing happens and nothing is sent")
    func nothing() async throws {
        let endpoint = Endpoint()
        #expect(isTakenOver(try await app().takeOver(takeover(endpoint))) == nil)
        #expect(endpoint.sessions.with { $0.isEmpty })
    }

    @Test("on an offline device the session is kept, and the next start takes it over")
    func offline() async throws {
        put("ann")
        let offline = Endpoint { _ in throw AuthErrorCode.networkError.error() }
        let auth = try app()
        await #expect { try await auth.takeOver(takeover(offline)) } throws: { AuthErrorCode($0) == .networkError }
        #expect(auth.currentUser == nil)
        #expect(keychain.items.with { $0.count } == 1)
        #expect(isTakenOver(try await app().takeOver(takeover(Endpoint()))) == "ann")
    }

    @Test("the keychain item is kept until Dialtone's session is stored")
    func unstored() async throws {
        put("ann")
        let store = FailingStore(base: FileStore(folder: URL(fileURLWithPath: folder.path)))
        store.failing.with { $0 = [StoredSession.key] }
        let options = DialtoneOptions(url: URL(string: server.url), apiKey: "k")
        let auth = Auth(DialtoneApp(name: "failing", options: options, store: store))
        await #expect { try await auth.takeOver(takeover(Endpoint())) } throws: { AuthErrorCode($0) == .keychainError }
        #expect(auth.currentUser == nil)
        #expect(keychain.items.with { $0.count } == 1)
        store.failing.with { $0 = [] }
        #expect(isTakenOver(try await auth.takeOver(takeover(Endpoint()))) == "ann")
        #expect(keychain.items.with { $0.isEmpty })
    }

    @Test("a keychain item that cannot be removed is removed later, and does not undo a sign-out")
    func unremovable() async throws {
        put("ann")
        keychain.fail(.delete, -25291)
        let endpoint = Endpoint()
        let auth = try app()
        #expect(isTakenOver(try await auth.takeOver(takeover(endpoint))) == "ann")
        #expect(keychain.items.with { $0.count } == 1)
        try auth.signOut()
        #expect(isTakenOver(try await app().takeOver(takeover(endpoint))) == nil)
        keychain.fail(.delete, nil)
        #expect(isTakenOver(try await app().takeOver(takeover(endpoint))) == nil)
        #expect(keychain.items.with { $0.isEmpty })
        #expect(endpoint.sessions.with { $0.count } == 1)
    }

    @Test("an app terminated before it recorded the takeover records it at the next start")
    func endedInBetween() async throws {
        put("ann")
        let auth = try app()
        _ = try await auth.takeOver(takeover(Endpoint()))
        // As if the app had been terminated before it recorded the takeover and removed the item.
        put("ann")
        try auth.store.remove("firebase-sessions")
        let endpoint = Endpoint()
        let restarted = try app()
        #expect(isTakenOver(try await restarted.takeOver(takeover(endpoint))) == nil)
        #expect(keychain.items.with { $0.isEmpty })
        try restarted.signOut()
        put("ann")
        #expect(isTakenOver(try await app().takeOver(takeover(endpoint))) == nil)
        #expect(endpoint.sessions.with { $0.isEmpty })
    }

    @Test("a signed-in user is not replaced, neither now nor after signing out")
    func otherUser() async throws {
        put("ann")
        let test = try TestApp(server.url, folder: folder)
        let bob = try test.signIn("bob")
        let endpoint = Endpoint()
        #expect(isTakenOver(try await test.auth.takeOver(takeover(endpoint))) == nil)
        #expect(test.auth.currentUser === bob)
        #expect(keychain.items.with { $0.count } == 1)
        try test.auth.signOut()
        #expect(isTakenOver(try await app().takeOver(takeover(endpoint))) == nil)
        #expect(endpoint.sessions.with { $0.isEmpty })
        // A later session of the Firebase SDK, after a return to an earlier version of the app.
        put("ann", refreshToken: "newer")
        #expect(isTakenOver(try await app().takeOver(takeover(endpoint))) == "ann")
    }

    @Test("a user who signs in during the exchange is kept")
    func meanwhile() async throws {
        put("ann")
        let test = try TestApp(server.url, folder: folder)
        let endpoint = Endpoint { session in
            _ = try test.signIn("bob")
            return .tokens(idToken: idToken(of: session.uid), refreshToken: "r")
        }
        #expect(isTakenOver(try await test.auth.takeOver(takeover(endpoint))) == nil)
        #expect(test.auth.currentUser?.uid == "bob")
    }

    @Test("an endpoint that returns another user, or junk, signs no one in")
    func hostileEndpoint() async throws {
        put("ann")
        let answers: [(ExchangedFirebaseSession, AuthErrorCode)] = [
            (.tokens(idToken: idToken(of: "mallory"), refreshToken: "r"), .userMismatch),
            (.tokens(idToken: "junk", refreshToken: "r"), .malformedJWT),
        ]
        for (answer, code) in answers {
            let auth = try app()
            await #expect { try await auth.takeOver(takeover(Endpoint { _ in answer })) } throws: { error in
                AuthErrorCode(error) == code && !error.localizedDescription.contains("firebase-refresh")
            }
            #expect(auth.currentUser == nil)
            #expect(keychain.items.with { $0.count } == 1)
        }
    }

    @Test("the endpoint's custom token is exchanged, and if Dialtone rejects it, the session is kept for later")
    func customToken() async throws {
        put("ann")
        let isRejecting = Mutexed(true)
        let server = try StandIn { request in
            guard request.path == "/v1/accounts:signInWithCustomToken" else {
                return StandIn.Answer(status: 503, body: "")
            }
            #expect(request.body.contains(#""token":"custom""#))
            return isRejecting.with { $0 }
                ? .error("INVALID_CUSTOM_TOKEN")
                : StandIn.Answer(body: #"{"idToken":"\#(idToken(of: "ann"))","refreshToken":"dialtone-ann"}"#)
        }
        let auth = try TestApp(server.url, folder: folder).auth
        let takeover = takeover(Endpoint { _ in .customToken("custom") })
        await #expect { try await auth.takeOver(takeover) } throws: { AuthErrorCode($0) == .invalidCustomToken }
        #expect(keychain.items.with { $0.count } == 1)
        isRejecting.with { $0 = false }
        #expect(isTakenOver(try await auth.takeOver(takeover)) == "ann")
        #expect(keychain.items.with { $0.isEmpty })
    }

    @Test("a cancelled call returns, and its exchange continues for the next call")
    func cancelled() async throws {
        put("ann")
        let end = OneShot<Void>()
        let endpoint = Endpoint { session in
            try await end.value()
            return .tokens(idToken: idToken(of: session.uid), refreshToken: "r")
        }
        let auth = try app()
        let takeover = takeover(endpoint)
        let task = Task { try await auth.takeOver(takeover) }
        #expect(await waitUntil { endpoint.sessions.with { $0.count } == 1 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        end.resolve(.success(()))
        #expect(await waitUntil { auth.currentUser?.uid == "ann" })
    }

    @Test("a keychain item in an unknown format causes an error, and other places are still searched")
    func unreadable() async throws {
        keychain.items.with { $0[place.item] = Data("junk".utf8) }
        let auth = try app()
        await #expect { try await auth.takeOver(takeover(Endpoint())) } throws: { error in
            AuthErrorCode(error) == .keychainError && error.localizedDescription.contains("unknown format")
        }
        #expect(keychain.items.with { $0.count } == 1)
        let second = FirebaseSessionPlace.app(googleAppID: "1:123:ios:abc", appName: "second")
        put("ann", in: second)
        #expect(isTakenOver(try await auth.takeOver(takeover(Endpoint(), from: [place, second]))) == "ann")
        #expect(keychain.items.with { Array($0.keys) } == [place.item])
    }

    @Test("a keychain that cannot be read yet causes an error, and its items are not treated as missing")
    func locked() async throws {
        put("ann")
        keychain.fail(.copy, -25308)
        let auth = try app()
        await #expect { try await auth.takeOver(takeover(Endpoint())) } throws: { AuthErrorCode($0) == .keychainError }
        keychain.fail(.copy, nil)
        #expect(isTakenOver(try await auth.takeOver(takeover(Endpoint()))) == "ann")
    }

    @Test("a session shared by apps is kept for the others, unless none needs it", arguments: [true, false])
    func shared(removes: Bool) async throws {
        let shared = FirebaseSessionPlace.accessGroup("team.group", apiKey: "AIza", isSharedAcrossDevices: removes)
        put("ann", in: shared)
        let endpoint = Endpoint()
        var takeover = takeover(endpoint, from: [shared, place])
        takeover.removesSharedSessions = removes
        let auth = try app()
        #expect(isTakenOver(try await auth.takeOver(takeover)) == "ann")
        #expect(keychain.items.with { $0.isEmpty } == removes)
        try auth.signOut()
        #expect(isTakenOver(try await app().takeOver(takeover)) == nil)
        #expect(endpoint.sessions.with { $0.count } == 1)
    }

    @Test("places are the SDK's keychain items, and the stored access group comes first")
    func places() throws {
        let own = FirebaseSessionPlace.app(googleAppID: "1:2:ios:3", appName: "second")
        let account = "firebase_auth_1_second_firebase_user"
        #expect(own.item == KeychainItem(service: "firebase_auth_1:2:ios:3", account: account))
        #expect(own.key == "second_firebase_user")
        let shared = FirebaseSessionPlace.accessGroup("group", apiKey: "AIza")
        #expect(
            shared.item
                == KeychainItem(service: "AIza", account: "firebase_auth_firebase_user", accessGroup: "group")
        )
        #expect(shared.key == "firebase_auth_stored_user_coder_key")

        func remembered(_ value: Any) -> String? {
            FirebaseSessionPlace.rememberedAccessGroup(googleAppID: "1:2:ios:3") { name in
                name == "com.google.Firebase.Auth.firebase_auth_1:2:ios:3"
                    ? ["firebase_auth_stored_user_access_group": value] : nil
            }
        }
        #expect(remembered(Data("group".utf8)) == "group")
        #expect(remembered(Data()) == nil)
        #expect(remembered("group") == nil)
        let name = DialtoneApp.defaultName
        #expect(
            FirebaseSessionPlace.all("1:2:ios:3", "AIza", name, accessGroup: "group") == [
                shared, .accessGroup("group", apiKey: "AIza", isSharedAcrossDevices: true),
                .app(googleAppID: "1:2:ios:3"),
            ]
        )
        #expect(FirebaseSessionPlace.all(googleAppID: "1:2:ios:3", apiKey: "AIza") == [.app(googleAppID: "1:2:ios:3")])
    }
}

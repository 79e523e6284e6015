import Foundation
import TestServers
import Testing

@testable import DialtoneAuth

/// Listeners, notifications, and the release of objects.
@Suite struct ListenerTests {
    @Test("listeners are called immediately and after each change, in order")
    func listeners() async throws {
        let server = try StandIn { _ in
            StandIn.Answer(body: #"{"access_token":"\#(idToken(of: "ann", nonce: 1))","refresh_token":"r"}"#)
        }
        let app = try TestApp(server.url)
        let states = Mutexed<[String]>([])
        let tokens = Mutexed<[String]>([])
        let handle = app.auth.addStateDidChangeListener { _, user in states.with { $0.append(user?.uid ?? "-") } }
        app.auth.addIDTokenDidChangeListener { _, user in tokens.with { $0.append(user?.uid ?? "-") } }
        let user = try app.signIn("ann")
        _ = try await user.getIDToken(forcingRefresh: true)
        try app.auth.signOut()
        #expect(await waitUntil { tokens.with { $0 } == ["-", "ann", "ann", "-"] })
        #expect(await waitUntil { states.with { $0 } == ["-", "ann", "-"] })
        app.auth.removeStateDidChangeListener(handle)
        _ = try app.signIn("bob")
        #expect(await waitUntil { tokens.with { $0.last } == "bob" })
        #expect(states.with { $0.count } == 3)
    }

    @Test("a notification is posted once for each change, but not for a new listener or a sign-out without a user")
    func notifications() async throws {
        let app = try TestApp("https://auth.example.com")
        let count = Mutexed(0)
        let observer = NotificationCenter.default.addObserver(
            forName: .AuthStateDidChange,
            object: app.auth,
            queue: nil
        ) { _ in count.with { $0 += 1 } }
        defer { NotificationCenter.default.removeObserver(observer) }
        let calls = Mutexed(0)
        try app.auth.signOut()
        app.auth.addStateDidChangeListener { _, _ in calls.with { $0 += 1 } }
        #expect(await waitUntil { calls.with { $0 } == 1 })
        #expect(count.with { $0 } == 0)
        _ = try app.signIn("ann")
        try app.auth.signOut()
        #expect(await waitUntil { calls.with { $0 } == 3 && count.with { $0 } == 2 })
    }

    @Test("an Auth without references is released with its user, and its streams end")
    func freed() async throws {
        func start() throws -> (WeakReference<Auth>, WeakReference<User>, Task<[String], Never>) {
            let app = DialtoneApp(
                name: "freed",
                options: DialtoneOptions(url: URL(string: "https://auth.example.com"), apiKey: "k"),
                store: MemoryStore()
            )
            let auth = Auth.auth(app: app)
            #expect(auth.app === app && Auth.auth(app: app) === auth)
            let user = User(auth, Account(uid: "ann"), try Tokens(idToken: idToken(of: "ann"), refreshToken: "r"))
            try auth.become(user, since: auth.signOuts)
            let stream = auth.authStateChanges
            let users = Task { await stream.reduce(into: []) { $0.append($1?.uid ?? "-") } }
            return (WeakReference(auth), WeakReference(user), users)
        }
        let (auth, user, users) = try start()
        #expect(await users.value == ["ann"])
        #expect(await waitUntil { auth.object == nil && user.object == nil })
    }

    @Test("operations of a user whose Auth was released fail with an explanation")
    func orphan() async throws {
        let user = try TestApp("https://auth.example.com").signIn("ann")
        #expect(await waitUntil { user.auth == nil })
        await #expect { try await user.getIDToken() } throws: { error in
            AuthErrorCode(error) == .internalError && error.localizedDescription.contains("no longer exists")
        }
        #expect(user.uid == "ann")
    }

    @Test("a stream stops listening when its reader has stopped")
    func leftStream() async throws {
        let auth = try TestApp("https://auth.example.com").auth
        for await _ in auth.idTokenChanges { break }
        #expect(await waitUntil { auth.state.withLock { $0.listeners.isEmpty } })
    }
}

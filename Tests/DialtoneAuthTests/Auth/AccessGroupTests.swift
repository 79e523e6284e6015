import Foundation
import TestServers
import Testing

@testable import DialtoneAuth

/// Two apps of one developer that share a session.
@Suite struct AccessGroupTests {
    private let stores = [MemoryStore(), MemoryStore()]

    init() {
        let group = MemoryStore()
        for store in stores { store.groups.with { $0["TEAM.shared"] = group } }
    }

    /// Starts an app by its number.
    private func start(_ app: Int, _ url: String = "https://auth.example.com") -> Auth {
        let options = DialtoneOptions(url: URL(string: url), apiKey: "k")
        return Auth(DialtoneApp(name: "app", options: options, store: stores[app]))
    }

    private func signIn(_ auth: Auth, _ uid: String, life: TimeInterval = 3_600) throws -> User {
        let tokens = try Tokens(idToken: idToken(of: uid, life: life), refreshToken: "refresh-0")
        let user = User(auth, Account(uid: uid), tokens)
        try auth.become(user, since: auth.signOuts)
        return user
    }

    @Test("all apps of a group have its user, even after a restart, and an app's own session is removed")
    func sharing() async throws {
        let first = start(0)
        let ann = try signIn(first, "ann")
        try first.useUserAccessGroup("TEAM.shared")
        #expect(first.currentUser == nil)
        #expect(try first.getStoredUser(forAccessGroup: nil) == nil)
        // Moves the app's own user to the group.
        try await first.updateCurrentUser(ann)
        let second = start(1)
        #expect(try second.getStoredUser(forAccessGroup: "TEAM.shared")?.uid == "ann")
        #expect(second.currentUser == nil)
        try second.useUserAccessGroup("TEAM.shared")
        #expect(second.currentUser?.uid == "ann")
        let restarted = start(1)
        #expect(restarted.userAccessGroup == "TEAM.shared")
        #expect(restarted.currentUser?.uid == "ann")
        try restarted.useUserAccessGroup("TEAM.shared")
        #expect(restarted.currentUser?.uid == "ann")
        try restarted.useUserAccessGroup(nil)
        #expect(restarted.currentUser == nil)
        #expect(start(1).userAccessGroup == nil)
        #expect(start(0).currentUser?.uid == "ann")
    }

    @Test("an app uses the tokens that another app has refreshed, and does not store older ones")
    func refreshed() async throws {
        let server = try StandIn { _ in
            let token = idToken(of: "ann", nonce: 1)
            return StandIn.Answer(body: #"{"access_token":"\#(token)","refresh_token":"refresh-1"}"#)
        }
        let first = start(0, server.url)
        try first.useUserAccessGroup("TEAM.shared")
        let ann = try signIn(first, "ann", life: 1_000)
        let second = start(1, server.url)
        try second.useUserAccessGroup("TEAM.shared")
        let same = try #require(second.currentUser)
        _ = try await ann.getIDToken(forcingRefresh: true)
        #expect(same.refreshToken == "refresh-0")
        second.save(same)
        #expect(same.refreshToken == "refresh-1")
        #expect(try first.getStoredUser(forAccessGroup: "TEAM.shared")?.refreshToken == "refresh-1")
        _ = try await same.getIDToken(forcingRefresh: true)
        #expect(server.requests.map { $0.body.contains("refresh-1") } == [false, true])
    }

    @Test("after a sign-out in one app, other apps lose the user when they use the session, and do not store it again")
    func signOut() async throws {
        let first = start(0)
        try first.useUserAccessGroup("TEAM.shared")
        _ = try signIn(first, "ann")
        let second = start(1)
        try second.useUserAccessGroup("TEAM.shared")
        let same = try #require(second.currentUser)
        try first.signOut()
        second.save(same)
        #expect(second.currentUser == nil)
        #expect(try second.getStoredUser(forAccessGroup: "TEAM.shared") == nil)
    }

    @Test("an app notices another app's sign-in and sign-out in the foreground and whenever the session is used")
    func noticed() async throws {
        let first = start(0)
        try first.useUserAccessGroup("TEAM.shared")
        let second = start(1)
        try second.useUserAccessGroup("TEAM.shared")
        #expect(second.currentUser == nil)
        let heard = Mutexed<[String?]>([])
        let listener = second.addStateDidChangeListener { _, user in heard.with { $0.append(user?.uid) } }
        _ = try signIn(first, "ann")
        second.becameActive()
        #expect(await waitUntil { @Sendable in heard.with { $0 } == [nil, "ann"] })
        let ann = try #require(second.currentUser)
        try first.signOut()
        _ = try await ann.getIDToken()
        #expect(await waitUntil { @Sendable in heard.with { $0 } == [nil, "ann", nil] })
        _ = try signIn(first, "bob")
        #expect(second.currentUser?.uid == "bob")
        second.removeStateDidChangeListener(listener)
    }

    @Test("the end of a session in one app does not end a session that another app has started since")
    func endedSession() throws {
        let first = start(0)
        try first.useUserAccessGroup("TEAM.shared")
        _ = try signIn(first, "ann", life: 1_000)
        let second = start(1)
        try second.useUserAccessGroup("TEAM.shared")
        let same = try #require(second.currentUser)
        _ = try signIn(first, "ann")
        second.endSession(of: same, after: AuthErrorCode.userTokenExpired.error())
        #expect(second.currentUser === same)
        second.endSession(of: same, after: AuthErrorCode.userTokenExpired.error())
        #expect(second.currentUser == nil)
        #expect(try first.getStoredUser(forAccessGroup: "TEAM.shared") == nil)
    }

    @Test("with a full disk, the app keeps its own session, and a later call uses the group")
    func fullDisk() async throws {
        let auth = start(0)
        let ann = try signIn(auth, "ann")
        stores[0].failToWrite(NSError(domain: "disk", code: 28))
        #expect { try auth.useUserAccessGroup("TEAM.shared") } throws: { AuthErrorCode($0) == .keychainError }
        #expect(auth.currentUser === ann && auth.userAccessGroup == nil)
        stores[0].failToWrite(nil)
        // The next use of the tokens stores the unsaved session.
        _ = try await ann.getIDToken()
        #expect(start(0).currentUser?.uid == "ann")
        try auth.useUserAccessGroup("TEAM.shared")
        #expect(start(0).userAccessGroup == "TEAM.shared")
        #expect(try stores[0].read(StoredSession.key) == nil)
    }

    @Test("a group that the app does not belong to changes nothing, and stores without groups report an error")
    func refused() throws {
        let auth = start(0)
        let ann = try signIn(auth, "ann")
        #expect { try auth.useUserAccessGroup("OTHER") } throws: { AuthErrorCode($0) == .keychainError }
        #expect(auth.currentUser === ann && auth.userAccessGroup == nil)
        let app = try TestApp("https://auth.example.com")
        #expect { try app.auth.useUserAccessGroup("TEAM.shared") } throws: { error in
            AuthErrorCode(error) == .keychainError
                && error.localizedDescription.contains("does not support access groups")
        }
    }
}

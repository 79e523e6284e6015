import Foundation
import TestServers
import Testing

@testable import DialtoneAuth

/// The lifecycle of tokens, with a mock server.
@Suite struct TokenTests {
    /// Returns a server that responds to refreshes with new tokens of a user.
    private func refreshingServer(
        _ uid: String = "ann",
        life: TimeInterval = 3600,
        before: @escaping @Sendable (Int) -> StandIn.Answer? = { _ in nil }
    ) throws -> StandIn {
        let count = Mutexed(0)
        return try StandIn { request in
            guard request.path == "/v1/token" else { return StandIn.Answer.error("OPERATION_NOT_ALLOWED") }
            let number = count.with { count in
                count += 1
                return count
            }
            if let answer = before(number) { return answer }
            let token = idToken(of: uid, life: life, nonce: number)
            return StandIn.Answer(body: #"{"access_token":"\#(token)","refresh_token":"refresh-\#(number)"}"#)
        }
    }

    private let expiring = idToken(of: "ann", life: 200)

    /// A user whose refresh the server has received, and answers once `answer` is called.
    private struct PausedRefresh {
        let server: StandIn
        let app: TestApp
        let user: User
        let refresh: Task<String, any Error>
        let answer: @Sendable () -> Void
    }

    private func pausedRefresh() async throws -> PausedRefresh {
        let mayAnswer = Mutexed(false)
        let server = try refreshingServer { _ in
            _ = eventually { mayAnswer.with { $0 } }
            return nil
        }
        let app = try TestApp(server.url)
        let user = try app.signIn("ann", token: expiring)
        let refresh = Task { try await user.getIDToken() }
        #expect(await waitUntil { !server.requests.isEmpty })
        return PausedRefresh(server: server, app: app, user: user, refresh: refresh) { mayAnswer.with { $0 = true } }
    }

    @Test("50 concurrent calls cause one refresh, whose tokens are stored")
    func coalescing() async throws {
        let server = try refreshingServer()
        let app = try TestApp(server.url)
        let user = try app.signIn("ann", token: expiring)
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await user.getIDToken() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(server.requests(of: "/v1/token").count == 1)
        let restarted = try TestApp(server.url, folder: app.folder)
        #expect(restarted.auth.currentUser?.refreshToken == "refresh-1")
        #expect(try await restarted.auth.currentUser?.getIDToken() == tokens.first)
    }

    @Test("a token is used until five minutes before its expiry")
    func margin() async throws {
        let server = try refreshingServer()
        let app = try TestApp(server.url)
        let fresh = idToken(of: "ann", life: 400)
        let user = try app.signIn("ann", token: fresh)
        #expect(try await user.getIDToken() == fresh)
        #expect(server.requests.isEmpty)
        #expect(try await user.getIDToken(forcingRefresh: true) != fresh)
    }

    @Test(
        "a failure of the server or the network does not end the session",
        arguments: [
            StandIn.Answer(status: 500, body: ""), StandIn.Answer(status: 502, body: "<html>TOKEN_EXPIRED"),
            .error("TOKEN_EXPIRED", status: 503), .error("TOO_MANY_ATTEMPTS_TRY_LATER"),
            .error("USER_NOT_FOUND", status: 429), StandIn.Answer(status: 200, body: "captive portal"),
            StandIn.Answer(status: 404, body: "Not Found"), .error("SOMETHING_NEW"),
        ]
    )
    func outage(answer: StandIn.Answer) async throws {
        let server = try StandIn { _ in answer }
        let app = try TestApp(server.url)
        let user = try app.signIn("ann", token: expiring)
        await #expect(throws: (any Error).self) { try await user.getIDToken() }
        #expect(app.auth.currentUser === user)
        #expect(try TestApp(server.url, folder: app.folder).auth.currentUser?.uid == "ann")
    }

    @Test(
        "the end of the session signs the user out and empties the store",
        arguments: ["TOKEN_EXPIRED", "USER_DISABLED", "USER_NOT_FOUND", "INVALID_REFRESH_TOKEN"]
    )
    func end(word: String) async throws {
        let server = try StandIn { _ in StandIn.Answer.error(word) }
        let app = try TestApp(server.url)
        let user = try app.signIn("ann", token: expiring)
        await #expect(throws: (any Error).self) { try await user.getIDToken() }
        #expect(app.auth.currentUser == nil)
        #expect(try TestApp(server.url, folder: app.folder).auth.currentUser == nil)
    }

    @Test("a sign-out during a refresh is final, in memory and in the store")
    func signOutDuringRefresh() async throws {
        let paused = try await pausedRefresh()
        try paused.app.auth.signOut()
        paused.answer()
        _ = try await paused.refresh.value
        #expect(paused.app.auth.currentUser == nil)
        #expect(try TestApp(paused.server.url, folder: paused.app.folder).auth.currentUser == nil)
    }

    @Test("a former user's refresh does not change the current user")
    func twoUsers() async throws {
        let server = try refreshingServer()
        let app = try TestApp(server.url)
        let former = try app.signIn("ann", token: expiring)
        let current = try app.signIn("bob", token: idToken(of: "bob"), refreshToken: "bobs")
        _ = try await former.getIDToken()
        #expect(app.auth.currentUser === current)
        let restarted = try TestApp(server.url, folder: app.folder)
        #expect(restarted.auth.currentUser?.uid == "bob")
        #expect(restarted.auth.currentUser?.refreshToken == "bobs")
    }

    @Test("a former user can become the current one again, but not a user of another app")
    func updateCurrentUser() async throws {
        let app = try TestApp("https://auth.example.com")
        let ann = try app.signIn("ann")
        let bob = try app.signIn("bob")
        try await app.auth.updateCurrentUser(ann)
        #expect(try TestApp("https://auth.example.com", folder: app.folder).auth.currentUser?.uid == "ann")
        let stranger = try TestApp("https://auth.example.com").signIn("mallory")
        await #expect(throws: (any Error).self) { try await app.auth.updateCurrentUser(stranger) }
        let code = Mutexed<AuthErrorCode?>(nil)
        app.auth.updateCurrentUser(nil) { error in code.with { $0 = error.flatMap { AuthErrorCode($0) } } }
        #expect(await waitUntil { code.with { $0 } == .nullUser })
        #expect(app.auth.currentUser === ann)
        // The end of a former user's session does not end the current user's session.
        app.auth.endSession(of: bob, after: AuthErrorCode.userTokenExpired.error())
        #expect(app.auth.currentUser === ann)
    }

    @Test("a request whose ID token is rejected is repeated once with a new one", arguments: [1, 9])
    func rejectedToken(rejections: Int) async throws {
        let refreshed = idToken(of: "ann", nonce: 1)
        let server = try StandIn { request in
            if request.path == "/v1/token" {
                return StandIn.Answer(body: #"{"access_token":"\#(refreshed)","refresh_token":"refresh-1"}"#)
            }
            let isAccepted = rejections == 1 && request.body.contains(refreshed)
            return isAccepted ? StandIn.Answer(body: #"{"users":[{"localId":"ann"}]}"#) : .error("INVALID_ID_TOKEN")
        }
        let app = try TestApp(server.url)
        let user = try app.signIn("ann")
        if rejections == 1 {
            try await user.reload()
            #expect(app.auth.currentUser === user)
        } else {
            await #expect { try await user.reload() } throws: { AuthErrorCode($0) == .invalidUserToken }
            #expect(app.auth.currentUser == nil)
        }
        #expect(server.requests(of: "/v1/accounts:lookup").count == 2)
        #expect(server.requests(of: "/v1/token").count == 1)
    }

    @Test("the account of another user is refused")
    func otherAccount() async throws {
        let server = try StandIn { _ in StandIn.Answer(body: #"{"users":[{"localId":"mallory"}]}"#) }
        let app = try TestApp(server.url)
        let user = try app.signIn("ann")
        await #expect(throws: (any Error).self) { try await user.reload() }
        #expect(user.uid == "ann")
        #expect(app.auth.currentUser === user && server.requests.count == 1)
    }

    @Test("the response to an earlier account request does not replace that to a later one")
    func lateAccount() async throws {
        let mayAnswer = Mutexed(false)
        let count = Mutexed(0)
        let server = try StandIn { _ in
            let number = count.with { count in
                count += 1
                return count
            }
            if number == 1 { _ = eventually { mayAnswer.with { $0 } } }
            return StandIn.Answer(body: #"{"users":[{"localId":"ann","displayName":"\#(number)"}]}"#)
        }
        let app = try TestApp(server.url)
        let user = try app.signIn("ann")
        let first = Task { try await user.reload() }
        #expect(await waitUntil { server.requests.count == 1 })
        try await user.reload()
        mayAnswer.with { $0 = true }
        try await first.value
        #expect(user.displayName == "2")
        #expect(try TestApp(server.url, folder: app.folder).auth.currentUser?.displayName == "2")
    }

    @Test(
        "a sign-in succeeds even if the account cannot be read afterwards",
        arguments: [
            StandIn.Answer(status: 503, body: ""), StandIn.Answer(body: "captive portal"),
            StandIn.Answer(body: #"{"users":[{"localId":"mallory"}]}"#), .error("SOMETHING_NEW"),
        ]
    )
    func outageAfterSignIn(answer: StandIn.Answer) async throws {
        let token = idToken(of: "ann")
        let server = try StandIn { request in
            request.path == "/v1/accounts:signInWithPhoneNumber"
                ? StandIn.Answer(body: #"{"idToken":"\#(token)","refreshToken":"r","isNewUser":true}"#)
                : answer
        }
        let app = try TestApp(server.url)
        let credential = PhoneAuthProvider.provider(auth: app.auth)
            .credential(withVerificationID: "id", verificationCode: "135790")
        let result = try await app.auth.signIn(with: credential)
        #expect(result.user.phoneNumber == "+16505550101")
        #expect(result.user.providerData.map(\.providerID) == ["phone"])
        #expect(try TestApp(server.url, folder: app.folder).auth.currentUser?.uid == "ann")
    }

    @Test("tokens of another user are refused")
    func otherUser() async throws {
        let server = try refreshingServer("mallory")
        let app = try TestApp(server.url)
        let user = try app.signIn("ann", token: expiring)
        await #expect(throws: (any Error).self) { try await user.getIDToken() }
        #expect(app.auth.currentUser?.refreshToken == "refresh-0")
    }

    @Test(
        "tokens of another project are refused, even if its user has the same ID",
        arguments: [#""other""#, #"["demo","other"]"#, "7", "null"]
    )
    func otherProject(audience: String) async throws {
        let server = try StandIn { _ in
            let token = idToken(of: "ann", audience: audience)
            return StandIn.Answer(body: #"{"access_token":"\#(token)","refresh_token":"refresh-1"}"#)
        }
        let app = try TestApp(server.url)
        let user = try app.signIn("ann", token: expiring)
        await #expect { try await user.getIDToken() } throws: { AuthErrorCode($0) == .internalError }
        #expect(app.auth.currentUser?.refreshToken == "refresh-0")
    }

    @Test("a cancelled caller does not cancel the refresh for others")
    func cancelledCaller() async throws {
        let paused = try await pausedRefresh()
        let user = paused.user
        let second = Task { try await user.getIDToken() }
        paused.refresh.cancel()
        await #expect(throws: CancellationError.self) { try await paused.refresh.value }
        paused.answer()
        _ = try await second.value
        #expect(user.refreshToken == "refresh-1")
        #expect(paused.server.requests.count == 1)
    }

    @Test("tokens are refreshed in advance without any call, again after failures, and not after a sign-out")
    func ahead() async throws {
        let server = try refreshingServer { number in
            number < 3 ? StandIn.Answer(status: 503, body: "") : nil
        }
        var environment = AuthEnvironment()
        environment.firstRefreshRetry = 0.05
        environment.lastRefreshRetry = 0.1
        let app = try TestApp(server.url, environment: environment)
        let user = try app.signIn("ann", token: idToken(of: "ann", life: 250))
        #expect(await waitUntil { user.refreshToken == "refresh-3" })
        #expect(app.auth.currentUser === user)
        let signedOut = try TestApp(server.url, environment: environment)
        let other = try signedOut.signIn("ann", token: idToken(of: "ann"))
        try signedOut.auth.signOut()
        let task = signedOut.auth.state.withLock { $0.refreshing }
        #expect(task == nil)
        #expect(other.refreshToken == "refresh-0")
    }

    @Test("with a wrong clock, the server's time is used", arguments: [-86_400, 86_400] as [TimeInterval])
    func skew(seconds: TimeInterval) async throws {
        let count = Mutexed(0)
        let server = try StandIn { _ in
            let number = count.with { count in
                count += 1
                return count
            }
            let token = idToken(of: "ann", nonce: number)
            return StandIn.Answer(
                headers: ["Date": httpDate()],
                body: #"{"access_token":"\#(token)","refresh_token":"refresh-\#(number)"}"#
            )
        }
        var environment = AuthEnvironment()
        environment.deviceTime = { Date().addingTimeInterval(seconds) }
        let app = try TestApp(server.url, environment: environment)
        let user = try app.signIn("ann")
        _ = try await user.getIDToken(forcingRefresh: true)
        #expect(abs(app.auth.clock.offset + seconds) < 30)
        let refreshes = server.requests.count
        for _ in 0..<3 { _ = try await user.getIDToken() }
        #expect(server.requests.count == refreshes)
        // The offset survives a restart, so the first call needs no refresh.
        let restarted = try TestApp(server.url, folder: app.folder, environment: environment)
        _ = try await restarted.auth.currentUser?.getIDToken()
        #expect(server.requests.count == refreshes)
        #expect(await app.auth.diagnose().contains { $0.check == .clock && !$0.isFine })
    }

    @Test("with a wrong clock, a verification in progress survives a restart", arguments: [-86_400, 0, 86_400])
    func skewedVerification(seconds: Int) async throws {
        let server = try StandIn { request in
            request.path == "/v1/accounts:sendVerificationCode"
                ? StandIn.Answer(headers: ["Date": httpDate()], body: #"{"sessionInfo":"id","resendAfter":"30"}"#)
                : .error("INVALID_CODE", headers: ["Date": httpDate()])
        }
        let time = Mutexed(TimeInterval(seconds))
        var environment = AuthEnvironment()
        environment.deviceTime = { Date().addingTimeInterval(time.with { $0 }) }
        let app = try TestApp(server.url, environment: environment)
        app.auth.settings?.isAppVerificationDisabledForTesting = true
        _ = try await PhoneAuthProvider.provider(auth: app.auth).verifyPhoneNumber("+16505550101")
        let restarted = try TestApp(server.url, folder: app.folder, environment: environment)
        let provider = PhoneAuthProvider.provider(auth: restarted.auth)
        #expect(provider.verificationInProgress?.verificationID == "id")
        await #expect { try await provider.resendCode() } throws: { error in
            AuthErrorCode(error) == .tooManyRequests && (1...31).contains(error.dialtoneRetryAfter ?? 0)
        }
        time.with { $0 += 601 }
        #expect(provider.verificationInProgress == nil)
    }

    @Test("racing anonymous sign-ins create one account")
    func anonymous() async throws {
        let token = idToken(of: "ann", provider: "anonymous")
        let server = try StandIn { request in
            request.path == "/v1/accounts:signUp"
                ? StandIn.Answer(body: #"{"idToken":"\#(token)","refreshToken":"r"}"#)
                : StandIn.Answer(status: 503, body: "")
        }
        let auth = try TestApp(server.url).auth
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await auth.signInAnonymously() } }
            try await group.waitForAll()
        }
        #expect(server.requests(of: "/v1/accounts:signUp").count == 1)
    }
}

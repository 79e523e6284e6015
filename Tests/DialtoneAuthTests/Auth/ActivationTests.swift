import Foundation
import TestServers
import Testing

@testable import DialtoneAuth

/// The app's activation when it comes to the foreground.
@Suite struct ActivationTests {
    private let time = Mutexed<TimeInterval>(0)

    private func environment() -> AuthEnvironment {
        var environment = AuthEnvironment()
        environment.deviceTime = { [time] in Date().addingTimeInterval(time.with { $0 }) }
        return environment
    }

    @Test("due tokens are refreshed once a minute, without the pause after an earlier failure")
    func refresh() async throws {
        let isDown = Mutexed(true)
        let server = try StandIn { _ in
            if isDown.with({ $0 }) { return StandIn.Answer(status: 503, body: "") }
            return StandIn.Answer(
                body: #"{"access_token":"\#(idToken(of: "ann", life: 9_000))","refresh_token":"refresh-1"}"#
            )
        }
        let app = try TestApp(server.url, environment: environment())
        let user = try app.signIn("ann", token: idToken(of: "ann", life: 200))
        // The first attempt fails, and the next one is due in a minute.
        #expect(await waitUntil { server.requests.count == 1 })
        let first = await countFailures(of: user, server)
        app.auth.becameActive()
        #expect(await waitUntil { server.requests.count == first + 1 })
        for _ in 0..<5 { app.auth.becameActive() }
        let failures = await countFailures(of: user, server)
        isDown.with { $0 = false }
        time.with { $0 += 61 }
        app.auth.becameActive()
        #expect(await waitUntil { user.refreshToken == "refresh-1" })
        #expect(server.requests.count == failures + 1)
        // Nothing is due any longer, even if the clock is set back.
        time.with { $0 = 0 }
        app.auth.becameActive()
        #expect(app.auth.currentUser === user)
    }

    /// Waits until an attempt that has reached the server has ended: another one would share its request. Returns the
    /// number of requests, which may be one more.
    private func countFailures(of user: User, _ server: StandIn) async -> Int {
        #expect((try? await user.getIDToken(forcingRefresh: true)) == nil)
        return server.requests.count
    }

    @Test("without a user nothing happens, and the app's own presenter is kept")
    func presenter() throws {
        let app = try TestApp("https://auth.example.com")
        app.auth.becameActive()
        let own = ChallengeTests.Presenter { $0 }
        app.auth.challengePresenter = own
        #expect(app.auth.connect(presenter: BrowserSessionPresenter { _, _, _ in nil }) {})
        #expect(app.auth.challengePresenter is ChallengeTests.Presenter)
        let other = try TestApp("https://auth.example.com")
        #expect(other.auth.connect(presenter: BrowserSessionPresenter { _, _, _ in nil }) {})
        #expect(other.auth.challengePresenter is BrowserSessionPresenter)
    }
}

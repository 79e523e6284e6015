import Foundation
import TestServers
import Testing

@testable import DialtoneAuth

/// Sign-ins whose caller, answer or user disappears before they end, with a mock server.
@Suite struct SignInEndTests {
    private static let path = "/v1/accounts:sign"
    private let isHeld = Mutexed(true)

    /// Returns a server that signs in only when it is no longer held.
    private func heldServer() throws -> StandIn {
        try StandIn { [isHeld] request in
            guard request.path.hasPrefix(Self.path) else { return StandIn.Answer(status: 503, body: "") }
            _ = eventually { !isHeld.with { $0 } }
            return StandIn.Answer(body: #"{"idToken":"\#(idToken(of: "ann"))","refreshToken":"r"}"#)
        }
    }

    private func credential(_ auth: Auth) -> PhoneAuthCredential {
        PhoneAuthProvider.provider(auth: auth).credential(withVerificationID: "id", verificationCode: "123456")
    }

    private func header(_ request: StandIn.Request) -> String? {
        request.text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("idempotency-key:") }.map(String.init)
    }

    @Test("a sign-in whose task is cancelled goes on, and the user is signed in")
    func cancelled() async throws {
        let server = try heldServer()
        let app = try TestApp(server.url)
        let task = Task { try await app.auth.signIn(with: credential(app.auth)) }
        #expect(await waitUntil { @Sendable in !server.requests.isEmpty })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(app.auth.currentUser == nil)
        isHeld.with { $0 = false }
        #expect(await waitUntil { @Sendable in app.auth.currentUser?.uid == "ann" })
        #expect(server.requests(of: Self.path).count == 1)
    }

    @MainActor
    @Test("after its view has disappeared, a sign-in by phone shows its outcome")
    func cancelledView() async throws {
        let server = try StandIn { [isHeld] request in
            if request.path.contains("sendVerificationCode") {
                return StandIn.Answer(body: #"{"sessionInfo":"session"}"#)
            }
            guard request.path.hasPrefix(Self.path) else { return StandIn.Answer(status: 503, body: "") }
            _ = eventually { !isHeld.with { $0 } }
            return StandIn.Answer(body: #"{"idToken":"\#(idToken(of: "ann"))","refreshToken":"r"}"#)
        }
        let app = try TestApp(server.url)
        app.auth.settings?.isAppVerificationDisabledForTesting = true
        let signIn = PhoneSignIn(auth: app.auth)
        await signIn.send("+16505550101")
        let task = Task { await signIn.verify("123456") }
        #expect(await waitUntil { @Sendable in !server.requests(of: Self.path).isEmpty })
        task.cancel()
        isHeld.with { $0 = false }
        await task.value
        #expect(signIn.state.step == .signedIn && signIn.state.activity == nil)
    }

    @Test("a lost answer is requested again with the code's key", arguments: [nil, 502, 503])
    func lost(status: Int?) async throws {
        let count = Mutexed(0)
        let server = try StandIn { request in
            guard request.path.hasPrefix(Self.path) else { return StandIn.Answer(status: 503, body: "") }
            let isFirst = count.with { count in
                count += 1
                return count == 1
            }
            if isFirst { return status.map { StandIn.Answer(status: $0, body: "") } }
            return StandIn.Answer(body: #"{"idToken":"\#(idToken(of: "ann"))","refreshToken":"r"}"#)
        }
        let app = try TestApp(server.url)
        #expect(try await app.auth.signIn(with: credential(app.auth)).user.uid == "ann")
        let requests = server.requests(of: Self.path)
        #expect(requests.count == 2 && requests[0].body == requests[1].body)
        let keys = requests.map(header)
        #expect(keys[0] != nil && keys[0] == keys[1])
        _ = try await app.auth.signIn(with: credential(app.auth))
        #expect(server.requests(of: Self.path).last.flatMap(header) == keys[0])
        let other = PhoneAuthProvider.provider(auth: app.auth).credential(
            withVerificationID: "v",
            verificationCode: "271829"
        )
        _ = try await app.auth.signIn(with: other)
        #expect(server.requests(of: Self.path).last.flatMap(header) != keys[0])
    }

    @MainActor
    @Test("the same code, entered again after two lost answers, is sent under the same key")
    func enteredAgain() async throws {
        let server = try StandIn { request in
            guard request.path.contains("sendVerificationCode") else { return StandIn.Answer(status: 503, body: "") }
            return StandIn.Answer(body: #"{"sessionInfo":"session"}"#)
        }
        let app = try TestApp(server.url)
        app.auth.settings?.isAppVerificationDisabledForTesting = true
        let signIn = PhoneSignIn(auth: app.auth)
        await signIn.send("+16505550101")
        for code in ["123456", "123 456", "654321"] { await signIn.verify(code) }
        let keys = server.requests(of: Self.path).map(header)
        #expect(keys.count == 6 && Set(keys.prefix(4)).count == 1 && Set(keys).count == 2)
    }

    @Test("a sign-out ends every sign-in in progress", arguments: 0..<6)
    func signOut(way: Int) async throws {
        let server = try heldServer()
        let app = try TestApp(server.url)
        let auth = app.auth
        let (user, credential) = (try app.signIn("old"), credential(auth))
        try auth.signOut()
        let task: Task<Void, any Error> =
            switch way {
            case 0: Task { _ = try await auth.signIn(with: credential) }
            case 1: Task { _ = try await auth.createUser(withEmail: "a@example.com", password: "secret") }
            case 2: Task { _ = try await auth.signInAnonymously() }
            case 3: Task { _ = try await auth.signIn(withCustomToken: "token") }
            default:
                Task {
                    let ended = OneShot<Void>()
                    let end: @Sendable ((any Error)?) -> Void = { error in
                        ended.resolve(error.map { .failure($0) } ?? .success(()))
                    }
                    if way == 4 {
                        auth.signIn(with: credential) { _, error in end(error) }
                    } else {
                        auth.updateCurrentUser(user) { error in end(error) }
                    }
                    // Before the handler's task has begun.
                    try auth.signOut()
                    try await ended.value()
                }
            }
        if way < 4 {
            #expect(await waitUntil { @Sendable in !server.requests.isEmpty })
            try auth.signOut()
        }
        isHeld.with { $0 = false }
        do {
            try await task.value
            #expect(way == 5, "only this task may have ended before the sign-out")
        } catch is CancellationError {}
        #expect(auth.currentUser == nil)
        #expect(try await auth.signIn(with: self.credential(auth)).user.uid == "ann")
    }

    @Test("before an app is configured, a debug build says what to do and ends")
    func unconfigured() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { _ = Auth.auth() }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Call DialtoneApp.configure(url:apiKey:)"))
    }
}

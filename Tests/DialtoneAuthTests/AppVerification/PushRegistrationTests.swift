import Foundation
import Processes
import TestServers
import Testing

@testable import DialtoneAuth

/// Device tokens of a registered app from the system, with a mock server.
@Suite struct PushRegistrationTests {
    private let registrations = Mutexed(0)
    private let server: StandIn
    private let folder: TemporaryFolder

    init() throws {
        // No push arrives, so the app is verified by proof of work.
        let target = sha256(Array("salt5".utf8)).map { String(format: "%02x", $0) }.joined()
        let challenge =
            #"{"algorithm":"SHA-256","challenge":"\#(target)","maxnumber":9,"salt":"salt","signature":"00"}"#
        server = try StandIn { request in
            if request.path.hasPrefix("/v1/accounts:verifyIosClient") { return .error("INVALID_APP_CREDENTIAL") }
            if request.path.hasPrefix("/__/auth/challenge") { return StandIn.Answer(body: challenge) }
            if request.path.hasPrefix("/__/auth/verify") {
                let items = URLComponents(string: request.path)?.queryItems
                let event = items?.first { $0.name == "eventId" }?.value ?? ""
                let query = "authType%3DverifyApp%26eventId%3D\(event)%26recaptchaToken%3Dt"
                let inner = "https%3A%2F%2Fa.example%2F%3F\(query)"
                let link = "app-1-123-ios-abc://firebaseauth/link?deep_link_id=\(inner)"
                return StandIn.Answer(body: #"{"location":"\#(link)"}"#)
            }
            return StandIn.Answer(body: #"{"sessionInfo":"session"}"#)
        }
        folder = try TemporaryFolder(prefix: "dialtone-auth")
    }

    private func auth(longestTokenWait: TimeInterval) -> Auth {
        let options = DialtoneOptions(
            url: URL(string: server.url),
            apiKey: "k",
            googleAppID: "1:123:ios:abc",
            bundleID: "com.example.app"
        )
        var environment = AuthEnvironment()
        environment.longestTokenWait = longestTokenWait
        let store = FileStore(folder: URL(fileURLWithPath: folder.path))
        return Auth(DialtoneApp(name: "push", options: options, store: store), environment)
    }

    /// Returns the Auth of an app connected to the system.
    private func connected(longestTokenWait: TimeInterval) -> Auth {
        let auth = auth(longestTokenWait: longestTokenWait)
        #expect(connect(auth))
        return auth
    }

    private func connect(_ auth: Auth) -> Bool {
        auth.connect(presenter: nil) { [registrations] in registrations.with { $0 += 1 } }
    }

    /// Requests two codes concurrently, and calls `meanwhile` before it waits for them.
    private func sendTwo(_ auth: Auth, meanwhile: () async -> Void = {}) async throws {
        async let first: Void = send(auth, to: "+16505550101")
        async let second: Void = send(auth, to: "+16505550102")
        await meanwhile()
        _ = try await (first, second)
    }

    private func send(_ auth: Auth, to number: String) async throws {
        #expect(try await PhoneAuthProvider.provider(auth: auth).verifyPhoneNumber(number) == "session")
    }

    @Test("two sends wait for one token of the system, and both use it")
    func token() async throws {
        let auth = connected(longestTokenWait: 60)
        #expect(!connect(auth))
        try await sendTwo(auth) {
            #expect(await waitUntil { registrations.with { $0 } == 2 })
            auth.setAPNSToken(Data([0xab]), type: .unknown)
        }
        #expect(server.requests(of: "/v1/accounts:verifyIosClient").count == 2)
    }

    @Test("a system that never responds delays a send at most until the deadline, and later sends not at all")
    func silence() async throws {
        let auth = connected(longestTokenWait: 0.2)
        try await sendTwo(auth)
        #expect(server.requests(of: "/v1/accounts:verifyIosClient").isEmpty)
        // This call would never return if the wait had no end.
        let patient = auth.verifier.registration
        try await patient.wait()
        #expect(await waitUntil { registrations.with { $0 } == 3 })
        // The late token serves the next message.
        auth.setAPNSToken(Data([0xab]), type: .sandbox)
        try await send(auth, to: "+16505550103")
        #expect(server.requests(of: "/v1/accounts:verifyIosClient").count == 1)
    }

    @Test("if the system gives no token, the wait ends immediately")
    func failure() async throws {
        let auth = connected(longestTokenWait: 600)
        async let sent: Void = send(auth, to: "+16505550101")
        #expect(await waitUntil { registrations.with { $0 } == 1 })
        auth.registrationFailed(NSError(domain: "NSCocoaErrorDomain", code: 3000))
        try await sent
        try await send(auth, to: "+16505550102")
    }

    @Test("a cancelled send does not end the wait of other sends")
    func cancellation() async throws {
        let registration = PushRegistration(longestWait: 600)
        let isFirst = registration.connect { [registrations] in registrations.with { $0 += 1 } }
        #expect(isFirst)
        let cancelled = Task { try await registration.wait() }
        let other = Task { try await registration.wait() }
        #expect(await waitUntil { registrations.with { $0 } == 2 })
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        registration.ended()
        try await other.value
    }

    @Test("an app that is not connected to the system does not wait")
    func unconnected() async throws {
        try await send(auth(longestTokenWait: 600), to: "+16505550101")
    }
}

import Foundation
import TestServers
import Testing

@testable import DialtoneAuth

@Suite struct EmulatorTests {
    private func server(_ uid: String) throws -> StandIn {
        let token = idToken(of: uid)
        return try StandIn { request in
            request.path == "/v1/accounts:lookup"
                ? StandIn.Answer(body: #"{"users":[{"localId":"\#(uid)"}]}"#)
                : StandIn.Answer(body: #"{"idToken":"\#(token)","refreshToken":"r","sessionInfo":"id"}"#)
        }
    }

    private func port(_ server: StandIn) throws -> Int { try #require(URL(string: server.url)?.port) }

    @Test("an emulator replaces the server, needs no proofs, and neither gets the other's tokens")
    func sessions() async throws {
        let (real, emulator) = (try server("ann"), try server("eve"))
        let app = try TestApp(real.url)
        let ann = try app.signIn("ann")
        app.auth.useEmulator(withHost: "127.0.0.1", port: try port(emulator))
        #expect(app.auth.currentUser == nil)
        let provider = PhoneAuthProvider.provider(auth: app.auth)
        let id = try await provider.verifyPhoneNumber("+16505550101")
        let credential = provider.credential(withVerificationID: id, verificationCode: "135790")
        #expect(try await app.auth.signIn(with: credential).user.uid == "eve")
        #expect(real.requests.isEmpty)
        #expect(emulator.requests(of: "/__/auth").isEmpty)
        #expect(!emulator.requests.contains { $0.text.contains(ann.tokens.idToken) })
        // The next start without the emulator, and another one with it.
        let restarted = try TestApp(real.url, folder: app.folder)
        #expect(restarted.auth.currentUser?.uid == "ann")
        restarted.auth.useEmulator(withHost: "127.0.0.1", port: try port(emulator))
        #expect(restarted.auth.currentUser?.uid == "eve")
        #expect(throws: (any Error).self) { try restarted.auth.useUserAccessGroup("TEAM.shared") }
    }

    @Test("with an emulator, the configuration needs no URL, but an API key")
    func configuration() async throws {
        let emulator = try server("eve")
        for (key, isFine) in [("k", true), ("", false)] {
            let options = DialtoneOptions(url: nil, apiKey: key)
            let auth = Auth(DialtoneApp(name: "emulator", options: options, store: MemoryStore()))
            auth.useEmulator(withHost: "localhost", port: try port(emulator))
            #expect((auth.fault == nil) == isFine)
        }
    }

    @Test("emulator hosts are accepted", arguments: ["localhost", "192.168.1.20", "mac-mini.local", "::1", "[::1]"])
    func hosts(host: String) throws {
        let url = try #require(ServerURL(emulatorHost: host, port: 9_099))
        #expect(url.text.hasPrefix("http://") && url.text.hasSuffix(":9099"))
        #expect(url.url(path: "/v1/token") != nil)
    }

    @Test(
        "an invalid host or port causes an error of each call, and no crash",
        arguments: [
            ("", 9_099), ("localhost", 0), ("localhost", 65_536), ("localhost", -1), ("local host", 1),
            ("localhost/v1", 1), ("a@localhost", 1), ("localhost?a", 1), ("é", 1), ("[", 1), (":", 1),
        ]
    )
    func invalid(host: String, port: Int) async throws {
        let auth = try TestApp("https://auth.example.com").auth
        auth.useEmulator(withHost: host, port: port)
        await #expect { try await auth.signInAnonymously() } throws: { error in
            AuthErrorCode(error) == .internalError && error.localizedDescription.contains("emulator")
        }
    }
}

import TestServers
import Testing

/// An attacker with an IPv6 /48, which has 65,536 /64 networks, against the limits per network.
@Suite struct NetworkLimitTests {
    /// Returns an address in another /56, and so in another /64, for each index.
    private static func address(_ index: Int, in site: String = "2001:db8:1") -> String {
        "\(site):\(String(index, radix: 16))00::1"
    }

    @Test("a /48 gets 16 times the messages of a /64, 5 of them for known clients, however many of its networks send")
    func sends() throws {
        let server = try RunningServer(workers: 1, settings: ["SENDS_PER_NETWORK_PER_HOUR": "1"])
        func send(_ index: Int, from address: String) throws -> HTTPAnswer {
            try server.sendVerificationCode("+1650555\(2100 + index)", from: address)
        }
        let answers = try (0..<20).map { try send($0, from: Self.address($0)) }
        #expect(answers.map(\.status) == Array(repeating: 200, count: 11) + Array(repeating: 400, count: 9))
        #expect(answers.last?.errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(server.log.contains("11 of 16 sends per network /48 in 3600 s"))
        #expect(try send(20, from: Self.address(0, in: "2001:db8:2")).status == 200)
        #expect(try send(21, from: "192.0.2.1").status == 200)
    }

    @Test("a /48 gets 16 times the wrong passwords of a /64, 5 of them for known networks")
    func passwords() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: [
                "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled", "WRONG_PASSWORDS_PER_NETWORK_PER_HOUR": "1",
            ]
        )
        func signIn(_ index: Int, from address: String) throws -> HTTPAnswer {
            try server.post(
                "/v1/accounts:signInWithPassword",
                #"{"email":"user\#(index)@example.com","password":"wrong password"}"#,
                from: address
            )
        }
        let answers = try (0..<18).map { try signIn($0, from: Self.address($0)) }
        #expect(answers.prefix(11).allSatisfy { $0.errorMessage == "INVALID_LOGIN_CREDENTIALS" })
        #expect(answers.suffix(7).allSatisfy { $0.errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER" })
        #expect(server.log.contains("11 of 16 wrong passwords from this network /48"))
        #expect(server.log.contains("5 of them reserved for known networks"))
        #expect(try signIn(18, from: "2001:db8:2::1").errorMessage == "INVALID_LOGIN_CREDENTIALS")
    }

    @Test("a /48 gets 16 times the silent pushes of a /64")
    func pushes() async throws {
        let deployment = try await PushDeployment.start(settings: ["PUSHES_PER_NETWORK_PER_HOUR": "1"])
        func verifyClient(_ index: Int, from address: String) throws -> HTTPAnswer {
            try deployment.verifyClient(PushDeployment.device(index), from: address)
        }
        let answers = try (0..<18).map { try verifyClient($0, from: Self.address($0)) }
        #expect(answers.map(\.status) == Array(repeating: 200, count: 16) + Array(repeating: 400, count: 2))
        #expect(try verifyClient(18, from: "2001:db8:2::1").status == 200)
    }
}

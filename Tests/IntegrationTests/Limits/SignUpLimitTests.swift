import Encodings
import GatewayStandIn
import Glibc
import Processes
import TestServers
import Testing

/// Floods of sign-ups and passwords, with plain requests.
@Suite struct SignUpLimitTests {
    static let other = "127.0.0.9"

    private func server(
        _ settings: [String: String],
        mode: RunningServer.Mode = .production
    ) throws -> RunningServer {
        let standard = [
            "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled", "PROJECT_DEMO_DIALTONE_ANONYMOUS_SIGN_IN": "enabled",
        ]
        return try RunningServer(mode, workers: 2, settings: standard.merging(settings) { $1 })
    }

    private func signUp(
        _ server: RunningServer,
        _ email: String? = nil,
        from address: String = "127.0.0.1"
    ) throws -> HTTPAnswer {
        let credentials = email.map { #""email":"\#($0)","password":"correct horse","# } ?? ""
        return try server.post("/v1/accounts:signUp", "{\(credentials)\"returnSecureToken\":true}", from: address)
    }

    private func signIn(
        _ server: RunningServer,
        _ email: String,
        from address: String = "127.0.0.1"
    ) throws -> HTTPAnswer {
        try server.post(
            "/v1/accounts:signInWithPassword",
            #"{"email":"\#(email)","password":"correct horse","returnSecureToken":true}"#,
            from: address
        )
    }

    /// Expects a refusal by a limit that gives one event back after this time.
    private func expectLimited(
        _ answer: HTTPAnswer,
        _ code: String = "TOO_MANY_ATTEMPTS_TRY_LATER",
        for seconds: Int
    ) throws {
        #expect(answer.status == 400 && answer.errorMessage == code, "\(answer.text)")
        let retryAfter = try #require(answer.headers["retry-after"].flatMap { Int($0) })
        #expect((seconds * 9 / 10...seconds + 1).contains(retryAfter))
    }

    @Test(
        "racing sign-ups of a network get exactly what the limit allows, and other networks are unaffected",
        arguments: [false, true]
    )
    func network(withPassword: Bool) throws {
        let server = try server(["SIGN_UPS_PER_NETWORK_PER_HOUR": "3"])
        let answers = try inParallel(8) { try self.signUp(server, withPassword ? "u\($0)@example.com" : nil) }
        #expect(answers.filter { $0.status == 200 }.count == 3)
        for answer in answers where answer.status != 200 { try expectLimited(answer, for: 1200) }
        #expect(server.log.contains("3 of 3 sign-ups of the network in 3600 s"))
        #expect(try signUp(server, withPassword ? "v@example.com" : nil, from: Self.other).status == 200)
    }

    @Test("a /48 gets 16 times the sign-ups of a /64, however many of its networks sign up")
    func wideNetwork() throws {
        let server = try server(["SIGN_UPS_PER_NETWORK_PER_HOUR": "1"])
        let answers = try (0..<18).map { try self.signUp(server, from: "2001:db8:1:\(String($0, radix: 16))00::1") }
        #expect(answers.map(\.status) == Array(repeating: 200, count: 16) + [400, 400])
        #expect(server.log.contains("16 of 16 sign-ups of the network /48 in 3600 s"))
        #expect(try signUp(server, from: "2001:db8:2::1").status == 200)
    }

    @Test("every attempt counts, so the limit also stops the enumeration of addresses by signUp, link and update")
    func probing() throws {
        let server = try server(["SIGN_UPS_PER_NETWORK_PER_HOUR": "4"])
        #expect(try signUp(server, "ada@example.com", from: Self.other).status == 200)
        let user = try #require(try signUp(server)["idToken"])
        #expect(try signUp(server, "ada@example.com").errorMessage == "EMAIL_EXISTS")
        let credentials = #""idToken":"\#(user)","email":"ada@example.com","password":"correct horse""#
        #expect(try server.post("/v1/accounts:signUp", "{\(credentials)}").errorMessage == "EMAIL_EXISTS")
        #expect(try server.post("/v1/accounts:update", "{\(credentials)}").errorMessage == "EMAIL_EXISTS")
        for path in ["signUp", "update"] {
            try expectLimited(try server.post("/v1/accounts:\(path)", "{\(credentials)}"), for: 900)
        }
        try expectLimited(try signUp(server, "ada@example.com"), for: 900)
        try expectLimited(try signUp(server, "nobody@example.com"), for: 900)
    }

    @Test("a project's new accounts are limited across all networks, and existing users can still sign in")
    func project() throws {
        let server = try server(["SIGN_UPS_PER_PROJECT_PER_DAY": "2"])
        #expect(try signUp(server, "ada@example.com").status == 200)
        #expect(try signUp(server, from: "127.0.0.2").status == 200)
        try expectLimited(try signUp(server, from: "127.0.0.3"), "QUOTA_EXCEEDED", for: 43_200)
        try expectLimited(try signUp(server, "bob@example.com", from: "127.0.0.4"), "QUOTA_EXCEEDED", for: 43_200)
        #expect(try signIn(server, "ada@example.com", from: "127.0.0.5").status == 200)
    }

    @Test("attempts that create no account do not use up the project's sign-ups")
    func attempts() throws {
        let server = try server([
            "SIGN_UPS_PER_PROJECT_PER_DAY": "3", "PROJECT_DEMO_DIALTONE_SIGN_UP_APP_PROOF": "off",
        ])
        #expect(try signUp(server, "ada@example.com").status == 200)
        let answers = try (0..<8).map { try self.signUp(server, "ada@example.com", from: "127.0.0.\($0 + 2)") }
        #expect(answers.allSatisfy { $0.errorMessage == "EMAIL_EXISTS" }, "\(answers.map(\.text))")
        for index in 0..<2 { #expect(try signUp(server, from: "127.0.1.\(index + 1)").status == 200) }
        try expectLimited(try signUp(server, from: Self.other), "QUOTA_EXCEEDED", for: 28_800)
        #expect(server.log.contains("3 of 3 sign-ups of the project in 86400 s"))
    }

    @Test("sign-ups without an app proof, or denied by a hook, do not count for the project")
    func denied() async throws {
        let proof = try server([
            "SIGN_UPS_PER_PROJECT_PER_DAY": "1", "PROJECT_DEMO_DIALTONE_SIGN_UP_APP_PROOF": "required",
        ])
        for _ in 0..<3 { #expect(try signUp(proof).errorMessage == "MISSING_APP_CREDENTIAL") }
        let shown = try proof.dialtone("limits", "show", "--sign-ups", "--project", "demo-dialtone")
        #expect(shown.output.contains("sign-ups of the project, 24 h 0 of 1\n"), "\(shown.output)")
        let deployment = try await HookDeployment.start(settings: ["SIGN_UPS_PER_PROJECT_PER_DAY": "1"])
        deployment.hooks.always(.answer(403, #"{"error":{"message":"no"}}"#))
        for index in 0..<3 { #expect(try signUp(deployment.server, "u\(index)@example.com").status != 200) }
        deployment.hooks.always(.answer(200, "{}"))
        #expect(try signUp(deployment.server, "ada@example.com").status == 200)
        let bob = try signUp(deployment.server, "bob@example.com", from: Self.other)
        try expectLimited(bob, "QUOTA_EXCEEDED", for: 86_400)
    }

    @Test("no network gets more than a tenth of the project's sign-ups, whatever its own limit", arguments: ["0", "9"])
    func tenth(perNetwork: String) throws {
        let server = try server([
            "SIGN_UPS_PER_PROJECT_PER_DAY": "20", "NEW_ACCOUNTS_PER_NETWORK_PER_DAY": perNetwork,
        ])
        for address in [{ (_: Int) in "192.0.2.1" }, { "2001:db8:1:\($0)00::1" }] {
            let answers = try (0..<4).map { try signUp(server, from: address($0)) }
            #expect(answers.map(\.status) == [200, 200, 400, 400])
            try expectLimited(answers[3], for: 43_200)
        }
    }

    @Test("a network gets only its share of the project's sign-ups, and a /48 four times as much")
    func share() throws {
        let server = try server(["NEW_ACCOUNTS_PER_NETWORK_PER_DAY": "2"])
        let answers = try inParallel(5) { try self.signUp(server, $0 == 0 ? "ada@example.com" : nil) }
        #expect(answers.filter { $0.status == 200 }.count == 2)
        for answer in answers where answer.status != 200 { try expectLimited(answer, for: 43_200) }
        #expect(server.log.contains("2 of 2 new accounts of the network in 86400 s"))
        #expect(try signUp(server, from: Self.other).status == 200)
        let wide = try (0..<10).map { try self.signUp(server, from: "2001:db8:1:\(String($0, radix: 16))00::1") }
        #expect(wide.map(\.status) == Array(repeating: 200, count: 8) + [400, 400])
        #expect(server.log.contains("8 of 8 new accounts of the network /48 in 86400 s"))
        #expect(try signUp(server, from: "2001:db8:2::1").status == 200)
    }

    private func signIn(_ server: RunningServer, customToken uid: String) throws -> HTTPAnswer {
        try server.post(
            "/v1/accounts:signInWithCustomToken",
            #"{"token":"\#(unsignedCustomToken(uid))","returnSecureToken":true}"#
        )
    }

    @Test("custom tokens that create accounts have a separate limit, but none per network")
    func customTokens() throws {
        let server = try server(
            [
                "SIGN_UPS_PER_NETWORK_PER_HOUR": "1", "SIGN_UPS_PER_PROJECT_PER_DAY": "1",
                "CUSTOM_TOKEN_SIGN_UPS_PER_PROJECT_PER_DAY": "3",
            ],
            mode: .development
        )
        #expect(try signUp(server).status == 200)
        try expectLimited(try signUp(server), for: 3600)
        try expectLimited(try signUp(server, from: Self.other), "QUOTA_EXCEEDED", for: 86_400)
        for uid in ["u1", "u2", "u3"] {
            #expect(try signIn(server, customToken: uid).json["isNewUser"] == .bool(true))
            for _ in 0..<3 { #expect(try signIn(server, customToken: uid).json["isNewUser"] == .bool(false)) }
        }
        try expectLimited(try signIn(server, customToken: "u4"), "QUOTA_EXCEEDED", for: 28_800)
        #expect(server.log.contains("3 of 3 custom-token sign-ups of the project in 86400 s"))
        #expect(try signIn(server, customToken: "u1").status == 200)
    }

    @Test("racing exchanges of one user's custom token count as one account")
    func racingCustomTokens() throws {
        let server = try server(["CUSTOM_TOKEN_SIGN_UPS_PER_PROJECT_PER_DAY": "3"], mode: .development)
        for uid in ["u1", "u2", "u3"] {
            let answers = try inParallel(12) { _ in try self.signIn(server, customToken: uid) }
            #expect(answers.allSatisfy { $0.status == 200 }, "\(answers.map(\.text))")
            #expect(answers.count { $0.json["isNewUser"] == .bool(true) } == 1)
        }
        try expectLimited(try signIn(server, customToken: "u4"), "QUOTA_EXCEEDED", for: 28_800)
    }

    @Test("recreating one custom token's deleted account repeatedly uses up only the network's limit")
    func recreation() throws {
        let server = try server(
            ["SIGN_UPS_PER_NETWORK_PER_HOUR": "2", "CUSTOM_TOKEN_SIGN_UPS_PER_PROJECT_PER_DAY": "2"],
            mode: .development
        )
        for _ in 0..<3 {
            let idToken = try #require(try signIn(server, customToken: "u1")["idToken"])
            #expect(try server.post("/v1/accounts:delete", #"{"idToken":"\#(idToken)"}"#).status == 200)
        }
        try expectLimited(try signIn(server, customToken: "u1"), for: 1800)
        #expect(try signIn(server, customToken: "u2").status == 200)
        try expectLimited(try signIn(server, customToken: "u3"), "QUOTA_EXCEEDED", for: 43_200)
    }

    @Test("password hashes per network are limited before hashing, even for correct passwords and changes")
    func hashes() throws {
        let server = try server(["PASSWORD_HASHES_PER_NETWORK_PER_HOUR": "2"])
        let user = try #require(try signUp(server, "ada@example.com", from: Self.other)["idToken"])
        for _ in 0..<2 { #expect(try signIn(server, "ada@example.com").status == 200) }
        try expectLimited(try signIn(server, "ada@example.com"), for: 1800)
        try expectLimited(try signUp(server, "bob@example.com"), for: 1800)
        try expectLimited(
            try server.post("/v1/accounts:update", #"{"idToken":"\#(user)","password":"battery staple"}"#),
            for: 1800
        )
        #expect(server.log.contains("2 of 2 password hashes of the network in 3600 s"))
        #expect(try signIn(server, "ada@example.com", from: Self.other).status == 200)
    }

    @Test("operators can show and reset the usage of a network and of a project")
    func command() throws {
        let server = try server([
            "SIGN_UPS_PER_NETWORK_PER_HOUR": "2", "SIGN_UPS_PER_PROJECT_PER_DAY": "30",
            "NEW_ACCOUNTS_PER_NETWORK_PER_DAY": "4",
        ])
        let options = ["--project", "demo-dialtone"]
        for _ in 0..<2 { #expect(try signUp(server).status == 200) }
        try expectLimited(try signUp(server), for: 1800)
        let shown = try server.dialtone(["limits", "show", "--network", "127.0.0.1"] + options)
        let lines = shown.output.split(separator: "\n")
        #expect(lines.first == "network of 127.0.0.1 in demo-dialtone")
        #expect(lines.count == 5, "\(shown.output)\(shown.errors)")
        #expect(lines.contains { $0.hasPrefix("sign-ups of the network, 1 h 2 of 2, one fewer at ") })
        #expect(lines.contains { $0.hasPrefix("new accounts of the network, 24 h 2 of 3, one fewer at ") })
        #expect(lines.contains("password hashes of the network, 1 h 0 of 600"))
        #expect(lines.contains("e-mails of the network, 1 h 0 of 50"))
        let ofProject = try server.dialtone(["limits", "show", "--sign-ups"] + options).output.split(separator: "\n")
        #expect(ofProject.count == 3 && ofProject.first == "sign-ups of demo-dialtone", "\(ofProject)")
        #expect(ofProject.contains { $0.hasPrefix("sign-ups of the project, 24 h 2 of 30, one fewer at ") })
        #expect(ofProject.contains("custom-token sign-ups of the project, 24 h 0 of 10000"))

        let reset = try server.dialtone(["limits", "reset", "--network", "127.0.0.1"] + options)
        #expect(reset.output == "reset the network of 127.0.0.1 in demo-dialtone\n")
        #expect(try signUp(server).status == 200)
        let resetProject = try server.dialtone(["limits", "reset", "--sign-ups"] + options)
        #expect(resetProject.output == "reset the sign-ups of demo-dialtone\n")
        let unused = try server.dialtone(["limits", "show", "--sign-ups"] + options).output
        #expect(unused.contains("sign-ups of the project, 24 h 0 of 30\n"), "\(unused)")
        #expect(try server.dialtone(["limits", "show", "--network", "nowhere"] + options).errors.contains("nowhere"))
        #expect(!(try server.dialtone(["limits", "reset"] + options)).status.isSuccess)
    }

    @Test("administrators are exempt, and in development mode everyone is")
    func unlimited() throws {
        let server = try server([
            "SIGN_UPS_PER_NETWORK_PER_HOUR": "1", "SIGN_UPS_PER_PROJECT_PER_DAY": "1",
            "NEW_ACCOUNTS_PER_NETWORK_PER_DAY": "1", "ADMIN_ROUTES": "enabled",
        ])
        let bearer = try server.adminBearer()
        for index in 0..<3 {
            let created = try server.post(
                "/v1/projects/demo-dialtone/accounts",
                #"{"email":"u\#(index)@example.com"}"#,
                headers: [("Authorization", bearer)]
            )
            #expect(created.status == 200, "\(created.text)")
        }
        let development = try RunningServer(workers: 1)
        for _ in 0..<120 { #expect(try signUp(development).status == 200) }
    }
}

/// Returns an unsigned custom token, which development mode accepts.
func unsignedCustomToken(_ uid: String) -> String {
    let now = Int64(time(nil))
    let payload = JSONWriter.object { json in
        json.member("iss", "server@demo.iam.example")
        json.member("sub", "server@demo.iam.example")
        json.member(
            "aud",
            "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
        )
        json.member("iat", now)
        json.member("exp", now + 3600)
        json.member("uid", uid)
    }
    return Base64URL.string(Array(#"{"alg":"none","typ":"JWT"}"#.utf8)) + "." + Base64URL.string(payload) + "."
}

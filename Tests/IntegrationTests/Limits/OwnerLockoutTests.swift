import APNsStandIn
import Encodings
import Processes
import TestServers
import Testing

/// Attackers who know a number and try to lock out its owner.
@Suite(.timeLimit(.minutes(30))) struct OwnerLockoutTests {
    private static let number = "+16505550801"
    private static let owner = "192.0.2.1"

    /// Returns the address of one of the attacker's many clients.
    private static func attacker(_ index: Int) -> String { "198.51.100.\(1 + index)" }

    private func open(_ server: RunningServer, from address: String) throws -> String {
        let answer = try server.sendVerificationCode(Self.number, from: address)
        return try #require(answer["sessionInfo"], "\(answer.errorMessage ?? "")")
    }

    private func signIn(_ server: RunningServer, from address: String) throws -> HTTPAnswer {
        let session = try open(server, from: address)
        return try server.signIn(session, try server.code(of: session))
    }

    /// Enters wrong codes in sessions of many clients, five in each. All are verified.
    private func guess(_ count: Int, at server: RunningServer) throws {
        for index in 0..<count / 5 {
            let session = try open(server, from: Self.attacker(index))
            let code = try server.code(of: session)
            for attempt in 0..<5 {
                let answer = try server.signIn(session, wrongCode(besides: code, attempt))
                #expect(["INVALID_CODE", "TOO_MANY_ATTEMPTS_TRY_LATER"].contains(answer.errorMessage ?? ""))
            }
        }
    }

    @Test(
        "an attacker who uses up a number's messages leaves some for known clients",
        arguments: ["HOUR", "DAY"]
    )
    func messages(window: String) throws {
        let other = window == "HOUR" ? "DAY" : "HOUR"
        let server = try RunningServer(workers: 1, settings: ["SENDS_PER_NUMBER_PER_\(other)": "1000"])
        #expect(try signIn(server, from: Self.owner).status == 200)
        let answers = try (0..<20).map { try server.sendVerificationCode(Self.number, from: Self.attacker($0)) }
        let refused = answers.filter { $0.status == 400 }
        #expect(answers.count - refused.count == (window == "HOUR" ? 2 : 6))
        #expect(refused.allSatisfy { $0.errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER" })
        #expect(server.log.contains("reserved for known clients and requests with the account's ID token"))
        for _ in 0..<2 { #expect(try signIn(server, from: Self.owner).status == 200) }
    }

    @Test("an attacker who uses up a project's messages leaves some for known clients")
    func projectMessages() throws {
        let server = try RunningServer(workers: 1, settings: ["SENDS_PER_PROJECT_PER_HOUR": "40"])
        #expect(try signIn(server, from: Self.owner).status == 200)
        let answers = try (0..<40).map {
            try server.sendVerificationCode(fictionalNumber($0), from: Self.attacker($0))
        }
        let refused = answers.filter { $0.status == 400 }
        #expect(refused.count == 13)
        #expect(refused.allSatisfy { $0.errorCode == "QUOTA_EXCEEDED" })
        for _ in 0..<3 { #expect(try signIn(server, from: Self.owner).status == 200) }
    }

    @Test("wrong passwords from one /48 lock out no one, and those from many networks no known client")
    func passwords() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled"]
        )
        func post(_ method: String, _ password: String, from address: String) throws -> HTTPAnswer {
            try server.post(
                "/v1/accounts:\(method)",
                #"{"email":"ada@example.com","password":"\#(password)","returnSecureToken":true}"#,
                from: address
            )
        }
        func isVerified(_ answer: HTTPAnswer) -> Bool { answer.errorMessage == "INVALID_LOGIN_CREDENTIALS" }
        #expect(try post("signUp", "correct horse", from: Self.owner).status == 200)
        // Ten wrong passwords from each of ten /56 networks.
        let wrong = try (0..<100).map {
            try post("signInWithPassword", "wrong password", from: "2001:db8:1:\($0 / 10)00::1")
        }
        #expect(wrong.filter(isVerified).count == 40)
        #expect(server.log.contains("for the e-mail address from this network /48"))
        #expect(try post("signInWithPassword", "correct horse", from: "203.0.113.9").status == 200)
        let more = try (0..<40).map {
            try post("signInWithPassword", "wrong password", from: Self.attacker($0 / 10))
        }
        #expect(more.filter(isVerified).count == 30)
        let stranger = try post("signInWithPassword", "correct horse", from: "203.0.113.10")
        #expect(stranger.errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER")
        for known in [Self.owner, "203.0.113.9"] {
            #expect(try post("signInWithPassword", "correct horse", from: known).status == 200)
        }
    }

    @Test("a known app is recognized by its push receipts on any network")
    func device() async throws {
        let deployment = try await PushDeployment.start()
        let server = deployment.server
        try server.startDispatcher()
        func credential(_ device: Int, after count: Int) async throws -> String {
            _ = try deployment.verifyClient(PushDeployment.device(device))
            let push = try #require(await deployment.production.pushes(atLeast: count + 1).last)
            let credential = try #require(push.credential)
            return #""iosReceipt":"\#(credential.receipt)","iosSecret":"\#(credential.secret)""#
        }
        func send(_ proof: String, from address: String) throws -> HTTPAnswer {
            try deployment.sendVerificationCode(Self.number, proof, from: address)
        }
        let proof = try await credential(0, after: 0)
        let session = try #require(try send(proof, from: Self.owner)["sessionInfo"])
        #expect(try server.signIn(session, try deployment.code(sentTo: Self.number)).status == 200)
        for device in 1...4 {
            let proof = try await credential(device, after: device)
            let sent = try send(proof, from: Self.attacker(device))
            #expect((sent["sessionInfo"] != nil) == (device <= 2))
        }
        // On another network, and with another receipt.
        let newProof = try await credential(0, after: 5)
        let again = try #require(try send(newProof, from: "203.0.113.9")["sessionInfo"])
        #expect(try server.signIn(again, try deployment.code(sentTo: Self.number)).status == 200)
    }

    @Test("ninety wrong codes keep new clients out for minutes, but not the number's owner")
    func wrongCodes() throws {
        let server = try RunningServer(
            workers: 1,
            settings: ["SENDS_PER_NUMBER_PER_HOUR": "1000", "SENDS_PER_NUMBER_PER_DAY": "1000"]
        )
        let signedIn = try signIn(server, from: Self.owner)
        let idToken = try #require(signedIn["idToken"])
        try guess(90, at: server)
        let newcomer = try open(server, from: "203.0.113.9")
        let code = try server.code(of: newcomer)
        let refused = try server.signIn(newcomer, code)
        #expect(refused.errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER")
        let seconds = try #require(refused.headers["retry-after"].flatMap { Int($0) })
        #expect((1...1400).contains(seconds))
        // A session of the number's account on an unknown network belongs to the owner.
        let proven = try server.post(
            "/v1/accounts:signInWithPhoneNumber",
            #"{"sessionInfo":"\#(newcomer)","code":"\#(code)","idToken":"\#(idToken)"}"#
        )
        #expect(proven.status == 200)
        try guess(90, at: server)
        #expect(try signIn(server, from: Self.owner).status == 200)
    }

    @Test("wrong codes for a test number delay only the client that entered them")
    func testNumber() throws {
        let server = try RunningServer(workers: 1)
        #expect(try server.dialtone("test-numbers", "set", Self.number, "246813").status == .exited(0))
        for index in 0..<20 {
            let session = try open(server, from: Self.attacker(index))
            for _ in 0..<5 { #expect(try server.signIn(session, "000000").errorMessage == "INVALID_CODE") }
        }
        let session = try open(server, from: Self.owner)
        #expect(try server.signIn(session, "246813").status == 200)
    }
}

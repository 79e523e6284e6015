import Encodings
import Processes
import TestServers
import Testing

/// Differences of production mode from development mode.
@Suite struct ProductionModeTests {
    let server: RunningServer

    init() throws {
        server = try RunningServer(.production, workers: 1)
    }

    @Test("an unknown API key is rejected with the message that SDKs look for")
    func unknownKey() throws {
        let answer = try server.sendVerificationCode("+16505550140", apiKey: "unknown")
        #expect(answer.status == 400)
        #expect(answer.errorMessage == "API key not valid. Please pass a valid API key.")
        try expectEnvelope(answer, status: "INVALID_ARGUMENT", reason: "keyInvalid")
    }

    @Test(
        "the development endpoints do not exist",
        arguments: [
            ("GET", "/"), ("GET", "/try-it.js"), ("GET", "/emulator/v1/projects/demo-dialtone/verificationCodes"),
            ("DELETE", "/emulator/v1/projects/demo-dialtone/accounts"),
            ("GET", "/emulator/v1/projects/demo-dialtone/config"),
            ("PATCH", "/emulator/v1/projects/demo-dialtone/config"),
            ("GET", "/emulator/v1/projects/demo-dialtone/oobCodes"),
            ("GET", "/dialtone/v1/projects/demo-dialtone/inbox"),
        ]
    )
    func developmentEndpoints(method: String, path: String) throws {
        let answer = try HTTPClient(port: server.port).request(method, path)
        #expect(answer.status == 404)
        try expectEnvelope(answer, status: "NOT_FOUND")
    }

    @Test(
        "no message is sent without proof of the app",
        arguments: [
            (#""clientType":"CLIENT_TYPE_IOS""#, "MISSING_APP_CREDENTIAL"),
            (#""clientType":3"#, "MISSING_APP_CREDENTIAL"),
            (#""iosReceipt":"r","iosSecret":"s","clientType":"CLIENT_TYPE_IOS""#, "INVALID_APP_CREDENTIAL"),
            (#""recaptchaToken":"t","clientType":"CLIENT_TYPE_IOS""#, "INVALID_APP_CREDENTIAL"),
            (#""recaptchaToken":"t","clientType":"CLIENT_TYPE_WEB""#, "CAPTCHA_CHECK_FAILED"),
            (#""recaptchaToken":"t""#, "CAPTCHA_CHECK_FAILED"),
            (#""recaptchaToken":"""#, "CAPTCHA_CHECK_FAILED"),
            (#""recaptchaToken":"","clientType":"CLIENT_TYPE_IOS""#, "MISSING_APP_CREDENTIAL"),
            (#""clientType":"CLIENT_TYPE_WEB""#, "MISSING_APP_CREDENTIAL"),
            (#""playIntegrityToken":"t","clientType":"CLIENT_TYPE_ANDROID""#, "INVALID_APP_CREDENTIAL"),
        ]
    )
    func unprovenApp(fields: String, message: String) throws {
        let answer = try server.post(
            "/v1/accounts:sendVerificationCode",
            #"{"phoneNumber":"+16505550141",\#(fields)}"#
        )
        #expect(answer.errorMessage == message)
        #expect(server.keysOfSends == "")
    }

    @Test("a test number signs in with its fixed code, without a message and without proof of the app")
    func testNumber() throws {
        #expect(
            try server.dialtone("test-numbers", "set", "+16505550142", "271828", "--project", "demo-dialtone").isFine
        )
        let session = try eventualSession("+16505550142")
        #expect(try server.signIn(session, "654321").errorMessage == "INVALID_CODE")
        let signedIn = try server.signIn(session, "271828")
        #expect(signedIn.status == 200)
        #expect(signedIn.json["isNewUser"] == .bool(true))
        #expect(server.redis.cli("--scan", "--pattern", "*outbox*").isEmpty)
        #expect(server.redis.cli("--scan", "--pattern", "*rate*").isEmpty)
    }

    @Test("if test numbers need an app proof, an unproven send to one is refused as to any other number")
    func testNumberProof() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_TEST_NUMBER_APP_PROOF": "required"]
        )
        let set = ["test-numbers", "set", "+16505550142", "271828", "--project", "demo-dialtone"]
        #expect(try server.dialtone(set).isFine)
        let query = "apiKey=\(RunningServer.apiKey)"
        // Workers apply a change within a second.
        let signedIn = try eventually { () throws -> Bool in
            let token = try #require(try server.submit(try server.solvedChallenge(query), query)["token"])
            let sent = try server.post(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":"+16505550142","recaptchaToken":"\#(token)","clientType":"CLIENT_TYPE_WEB"}"#
            )
            guard let session = sent["sessionInfo"] else { return false }
            return try server.signIn(session, "271828").status == 200
        }
        #expect(signedIn)
        func unproven(_ number: String, _ fields: String) throws -> HTTPAnswer {
            try server.post("/v1/accounts:sendVerificationCode", #"{"phoneNumber":"\#(number)"\#(fields)}"#)
        }
        for fields in ["", #","recaptchaToken":"t""#, #","clientType":"CLIENT_TYPE_WEB""#] {
            let refused = try unproven("+16505550142", fields)
            #expect(refused.status == 400)
            #expect(refused.text == (try unproven("+16505550149", fields).text))
        }
    }

    @Test("sessions and tokens of one project are unknown to another")
    func projectsAreApart() throws {
        for project in ["demo-dialtone", "other"] {
            #expect(try server.dialtone("test-numbers", "set", "+16505550143", "271828", "--project", project).isFine)
        }
        let session = try eventualSession("+16505550143")
        #expect(try server.signIn(session, "271828", apiKey: "other-key").errorMessage == "INVALID_SESSION_INFO")
        let signedIn = try server.signIn(session, "271828")
        let idToken = try #require(signedIn["idToken"])
        let refreshToken = try #require(signedIn["refreshToken"])
        let lookup = try server.post("/v1/accounts:lookup", #"{"idToken":"\#(idToken)"}"#, apiKey: "other-key")
        #expect(lookup.errorMessage == "INVALID_ID_TOKEN")
        let refresh = try server.post(
            "/v1/token",
            #"{"grantType":"refresh_token","refreshToken":"\#(refreshToken)"}"#,
            apiKey: "other-key"
        )
        #expect(refresh.errorMessage == "TOKEN_EXPIRED")
    }

    /// Opens a session for a test number that may just have been set: workers apply a change within a second.
    private func eventualSession(_ number: String) throws -> String {
        var session: String?
        _ = try eventually { () throws -> Bool in
            session = try server.post("/v1/accounts:sendVerificationCode", #"{"phoneNumber":"\#(number)"}"#)[
                "sessionInfo"
            ]
            return session != nil
        }
        return try #require(session)
    }
}

extension FinishedProcess {
    /// Whether the process succeeded. Its errors are recorded if not.
    var isFine: Bool {
        if status == .exited(0) { return true }
        Issue.record("\(errors)")
        return false
    }
}

import Encodings
import Processes
import TestServers
import Testing

/// A project's configuration over the admin interface of a production server with two workers.
@Suite struct ConfigurationRouteTests {
    let server: RunningServer
    let bearer: String

    init() throws {
        server = try RunningServer(
            .production,
            workers: 2,
            settings: [
                "ADMIN_ROUTES": "enabled", "SIGN_UPS_PER_NETWORK_PER_HOUR": "10000",
                "NEW_ACCOUNTS_PER_NETWORK_PER_DAY": "10000",
            ]
        )
        bearer = try server.adminBearer()
    }

    /// Runs a `dialtone config project` command.
    private func command(_ arguments: String...) throws -> FinishedProcess {
        try server.dialtone(arguments + ["--project", "demo-dialtone"])
    }

    private func config(_ method: String, _ json: String = "", mask: String? = nil, bearer: String? = nil) throws
        -> HTTPAnswer
    {
        try HTTPClient(port: server.port).request(
            method,
            "/admin/v2/projects/demo-dialtone/config" + (mask.map { "?updateMask=\($0)" } ?? ""),
            headers: [("Content-Type", "application/json"), ("Authorization", bearer ?? self.bearer)],
            body: Array(json.utf8)
        )
    }

    @Test("a configuration that was read can be sent back")
    func roundTrip() throws {
        let first = try config("GET")
        #expect(first.status == 200)
        let expected = """
            {"name":"projects/demo-dialtone/config","signIn":{"phoneNumber":{"enabled":true,"testPhoneNumbers":{}},\
            "email":{"enabled":false,"passwordRequired":true},"anonymous":{"enabled":false},\
            "allowDuplicateEmails":false},"autodeleteAnonymousUsers":false,\
            "authorizedDomains":["localhost","demo-dialtone.firebaseapp.com"],\
            "emailPrivacyConfig":{"enableImprovedEmailPrivacy":true},\
            "smsRegionConfig":{"allowByDefault":{"disallowedRegions":[]}},\
            "mfa":{"state":"DISABLED","enabledProviders":["PHONE_SMS"],\
            "providerConfigs":[{"state":"ENABLED","totpProviderConfig":{"adjacentIntervals":1}}]},\
            "blockingFunctions":{}}
            """
        #expect(first.text == expected)
        #expect(try config("PATCH", expected).text == expected)
        #expect(try config("GET").text == expected)
    }

    @Test("the dispatcher deletes unused anonymous accounts once the configuration enables it")
    func autodeleteAnonymousUsers() throws {
        #expect(
            try config("PATCH", #"{"signIn":{"anonymous":{"enabled":true}}}"#, mask: "signIn.anonymous.enabled").status
                == 200
        )
        /// Signs up anonymously. Each worker applies the change within a second.
        func signUp() throws -> HTTPAnswer {
            var answer: HTTPAnswer?
            _ = try eventually {
                answer = try server.post("/v1/accounts:signUp", #"{"returnSecureToken":true}"#)
                return answer?.status == 200
            }
            return try #require(answer)
        }
        let (unused, used) = (try signUp(), try signUp())
        let uid = try #require(unused["localId"])
        let account = server.redis.cli("KEYS", "dt:{u*}:user:demo-dialtone:\(uid)")
        let tag = account.prefix { $0 != "}" } + "}"
        for field in ["created", "last-login", "last-refresh"] { server.redis.cli("HSET", account, field, "1000") }
        server.redis.cli("ZADD", "\(tag):users:demo-dialtone:anonymous", "1000", uid)
        for _ in 0..<2 { try server.startDispatcher() }
        #expect(eventually { server.log.ranges(of: #""dispatching""#).count == 2 })
        #expect(server.redis.cli("EXISTS", account) == "1")
        let changed = try config("PATCH", #"{"autodeleteAnonymousUsers":true}"#, mask: "autodeleteAnonymousUsers")
        #expect(changed.json["autodeleteAnonymousUsers"] == .bool(true))
        #expect(eventually { server.redis.cli("EXISTS", account) == "0" })
        #expect(try server.refresh(try #require(unused["refreshToken"])).errorCode == "USER_NOT_FOUND")
        #expect(try server.refresh(try #require(used["refreshToken"])).status == 200)
        #expect(eventually { server.log.contains("deleted unused anonymous accounts") })
        #expect(try command("audit", "--account", uid).output.contains("unused"))
        #expect(AccountAudit(server.redis).faults == [])
    }

    @Test("a read token shows neither codes of test numbers nor paths of hook URLs")
    func secrets() throws {
        let change = """
            {"signIn":{"phoneNumber":{"testPhoneNumbers":{"+16505550101":"246810"}}},"blockingFunctions":{"triggers":\
            {"beforeSignIn":{"functionUri":"https://hooks.example.com/sign-in?token=hush"}}}}
            """
        let mask = "signIn.phoneNumber.testPhoneNumbers,blockingFunctions.triggers.beforeSignIn.functionUri"
        let changed = try config("PATCH", change, mask: mask)
        #expect(changed.status == 200)
        for secret in ["246810", "token=hush"] { #expect(changed.text.contains(secret)) }
        let reader = try server.adminBearer(access: "read")
        let read = try config("GET", bearer: reader)
        #expect(read.status == 200)
        for secret in ["246810", "sign-in?", "hush"] { #expect(!read.text.contains(secret)) }
        #expect(read.text.contains(#""+16505550101":"••••••""#))
        #expect(read.text.contains(#""https://hooks.example.com/••••••""#))
        // The masked values that a read token gets cannot replace the real ones.
        #expect(try config("PATCH", read.text, mask: "signIn.phoneNumber.testPhoneNumbers").status == 400)
        #expect(
            try config("PATCH", read.text, mask: "blockingFunctions.triggers.beforeSignIn.functionUri").status == 400
        )
        #expect(try config("GET").text.contains("246810"))
    }

    @Test(
        "a change reaches all workers within a second, survives restarts, and can be listed and reset"
    )
    func change() throws {
        func isAnonymousSignUpOpen() throws -> Bool {
            let answer = try server.post(
                "/v1/accounts:signUp",
                #"{"returnSecureToken":true}"#
            )
            #expect(answer.status == 200 || answer.errorMessage == "ADMIN_ONLY_OPERATION")
            return answer.status == 200
        }
        #expect(try !isAnonymousSignUpOpen())
        let body = #"{"signIn":{"anonymous":{"enabled":true}}}"#
        let changed = try config("PATCH", body, mask: "signIn.anonymous.enabled")
        #expect(changed.json["signIn"] != nil)
        // Ten responses in a row come from both workers.
        #expect(try eventually { try (0..<10).allSatisfy { _ in try isAnonymousSignUpOpen() } })
        #expect(
            try command("config", "show").output == "signIn.anonymous.enabled\n"
        )
        #expect(try command("config", "reset").status == .exited(0))
        #expect(try command("config", "show").output == "")
        #expect(try eventually { try (0..<10).allSatisfy { _ in try !isAnonymousSignUpOpen() } })
    }

    @Test("test numbers set in the configuration can sign in")
    func testNumbers() throws {
        let body = #"{"signIn":{"phoneNumber":{"testPhoneNumbers":{"+16505550199":"271828"}}}}"#
        let changed = try config("PATCH", body, mask: "signIn.phoneNumber.testPhoneNumbers")
        #expect(changed.text.contains(#""testPhoneNumbers":{"+16505550199":"271828"}"#))
        #expect(
            try command("test-numbers", "list").output == "+16505550199  271828\n"
        )
        let weak = body.replacing("271828", with: "123456")
        let refused = try config("PATCH", weak, mask: "signIn.phoneNumber.testPhoneNumbers")
        #expect(
            refused.errorMessage
                == "INVALID_TESTING_PHONE_NUMBER : The code 123456 is easy to guess: each half counts in equal steps."
        )
        let failed = try command("test-numbers", "set", "+16505550198", "111111")
        #expect(failed.status != .exited(0))
        let reason = "it has at most two different digits; choose random digits"
        #expect(failed.errors.contains("\"111111\": easy to guess: \(reason)"))
        for secret in ["271828", "123456", "+16505550199"] { #expect(!server.log.contains(secret)) }
    }

    @Test("a read token cannot change the configuration, and errors name the invalid member")
    func refusals() throws {
        let reader = try server.adminBearer(access: "read")
        #expect(try config("GET", bearer: reader).status == 200)
        #expect(try config("PATCH", "{}", bearer: reader).status == 403)
        #expect(try config("POST", "{}").status == 405)
        #expect(try config("GET", bearer: "Bearer nobody").status == 401)
        let wrong = try config("PATCH", #"{"mfa":{"state":"ON"}}"#, mask: "mfa.state")
        #expect(wrong.status == 400)
        #expect(wrong.errorMessage == "INVALID_CONFIG : mfa.state must be DISABLED, ENABLED or MANDATORY.")
        let mask = try config("PATCH", "{}", mask: "signIn.phone")
        #expect(mask.errorMessage == #"INVALID_CONFIG : Invalid field mask: "signIn.phone"."#)
    }

    @Test("an import of a thousand accounts fits in a request, and other request bodies have a lower limit")
    func bodies() throws {
        let users = (0..<1000).map { index in
            let filler = String(repeating: "x", count: 250)
            return #"{"localId":"user\#(index)","displayName":"\#(filler)"}"#
        }
        let imported = try HTTPClient(port: server.port).request(
            "POST",
            "/v1/projects/demo-dialtone/accounts:batchCreate",
            headers: [("Content-Type", "application/json"), ("Authorization", bearer)],
            body: Array(#"{"users":[\#(users.joined(separator: ","))]}"#.utf8)
        )
        #expect(imported.status == 200 && imported.json["error"] == nil, "\(imported.text.prefix(200))")
        let long = String(repeating: "x", count: 70_000)
        #expect(
            try server.post("/v1/accounts:lookup", #"{"idToken":"\#(long)"}"#).status == 413
        )
    }
}

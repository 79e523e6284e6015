import Encodings
import TestServers
import Testing

/// Requests of test suites and scripts for the reference emulator, which development mode accepts.
@Suite(.sharedServer { try RunningServer(workers: 1) }) struct EmulatorCompatibilityTests {
    private var server: RunningServer {
        get throws { try #require(SharedServer.current) }
    }

    private func owner(
        _ path: String,
        _ json: String,
        bearer: String = "Bearer owner"
    ) throws -> HTTPAnswer {
        try HTTPClient(port: server.port).request(
            "POST",
            path,
            headers: [("Content-Type", "application/json"), ("Authorization", bearer)],
            body: Array(json.utf8)
        )
    }

    private func users(_ answer: HTTPAnswer) -> [JSONObject] { answer.json.objects("users") }

    // MARK: Administration

    @Test(
        "on paths without a project, Bearer owner administers the default project",
        arguments: ["Bearer owner", "bEArEr OWNER"]
    )
    func ownerWithoutProject(bearer: String) throws {
        let uid = "owner-\(bearer.utf8.first == UInt8(ascii: "B") ? "a" : "b")"
        let made = try owner(
            "/identitytoolkit.googleapis.com/v1/accounts:signUp",
            #"{"localId":"\#(uid)","displayName":"Ada","targetProjectId":"any-project"}"#,
            bearer: bearer
        )
        #expect(made.status == 200 && made["localId"] == uid && made["idToken"] == nil, "\(made.text)")
        let changed = try owner(
            "/v1/accounts:update",
            #"{"localId":"\#(uid)","customAttributes":"{\"role\":\"admin\"}"}"#,
            bearer: bearer
        )
        #expect(changed.status == 200)
        let found = try owner("/v1/accounts:lookup", #"{"localId":["\#(uid)"]}"#, bearer: bearer)
        #expect(users(found).first?.text("customAttributes") == #"{"role":"admin"}"#)
        #expect(try owner("/v1/accounts:delete", "{}", bearer: bearer).errorMessage == "MISSING_LOCAL_ID")
        #expect(try owner("/v1/accounts:delete", #"{"localId":"\#(uid)"}"#, bearer: bearer).status == 200)
        #expect(try users(owner("/v1/accounts:lookup", #"{"localId":["\#(uid)"]}"#, bearer: bearer)).isEmpty)
    }

    @Test("a request with an ID token acts as its user, even with Bearer owner")
    func ownerWithIDToken() throws {
        let idToken = try #require(try server.signInFresh("+16505551901")["idToken"])
        let named = try owner("/v1/accounts:update", #"{"idToken":"\#(idToken)","displayName":"Ada"}"#)
        #expect(named.status == 200 && named["displayName"] == "Ada", "\(named.text)")
        #expect(try users(owner("/v1/accounts:lookup", #"{"idToken":"\#(idToken)"}"#)).count == 1)
    }

    @Test("old Admin SDKs list and import accounts with the project in the body")
    func legacyAdministration() throws {
        let legacy = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"
        let imported = try owner(
            legacy + "uploadAccount",
            #"{"targetProjectId":"demo-dialtone","users":[{"localId":"legacy-1"},{"localId":"legacy-2"}]}"#
        )
        #expect(imported.status == 200 && imported.json["error"] == nil, "\(imported.text)")
        var uids: [String] = []
        var page = ""
        repeat {
            let listed = try owner(legacy + "downloadAccount", #"{"maxResults":1,"nextPageToken":"\#(page)"}"#)
            uids += users(listed).map { $0.text("localId") }
            page = listed["nextPageToken"] ?? ""
        } while !page.isEmpty
        #expect(uids.contains("legacy-1") && uids.contains("legacy-2"))
        #expect(try server.post(legacy + "downloadAccount", "{}").status == 404)
    }

    @Test("targetProjectId is rejected without OAuth")
    func targetProject() throws {
        for operation in ["signUp", "lookup", "update", "sendVerificationCode"] {
            let answer = try server.post("/v1/accounts:\(operation)", #"{"targetProjectId":"demo-dialtone"}"#)
            #expect(
                answer.errorMessage
                    == "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
            )
        }
    }

    // MARK: Imports

    private func importUsers(_ json: String) throws -> HTTPAnswer {
        try owner("/v1/projects/demo-dialtone/accounts:batchCreate", json)
    }

    @Test("a user imported with rawPassword can sign in")
    func rawPassword() throws {
        let users = #"{"users":[{"localId":"raw","email":"raw@example.com","rawPassword":"correct horse"}]}"#
        #expect(try importUsers(users).json["error"] == nil)
        let fields = #"{"email":"raw@example.com","password":"correct horse"}"#
        #expect(try server.post("/v1/accounts:signInWithPassword", fields)["localId"] == "raw")
        let emulated =
            #"{"users":[{"localId":"fake","email":"fake@example.com","salt":"beach","version":0,"#
            + #""passwordHash":"fakeHash:salt=beach:password=correct horse","createdAt":1.484124177E12}]}"#
        #expect(try importUsers(emulated).json["error"] == nil)
        #expect(
            try server.post("/v1/accounts:signInWithPassword", fields.replacing("raw@", with: "fake@"))["localId"]
                == "fake"
        )
        let many = (0..<51).map { #"{"localId":"raw-\#($0)","email":"r\#($0)@example.com","rawPassword":"abcdef"}"# }
        #expect(
            try importUsers(#"{"users":[\#(many.joined(separator: ","))]}"#).errorCode == "MAXIMUM_USER_COUNT_EXCEEDED"
        )
    }

    @Test("an import reports each refused account with the emulator's message")
    func importSentences() throws {
        let factor = #""mfaInfo":[{"phoneInfo":"+16505551902"}]"#
        let cases: [(user: String, message: String)] = [
            ("{}", "localId is missing"),
            (
                #"{"localId":"s\u0000"}"#,
                "INVALID_LOCAL_ID : A uid has 1 to 128 characters without control characters."
            ),
            (#"{"localId":"s1","email":"nobody"}"#, "email is invalid"),
            (#"{"localId":"s2","phoneNumber":"12"}"#, "phone number format is invalid"),
            (#"{"localId":"s3","customAttributes":"junk"}"#, "Invalid custom claims provided."),
            (
                #"{"localId":"s4","customAttributes":"{\"sub\":\"x\"}"}"#,
                "Custom claims provided include a reserved claim."
            ),
            (
                #"{"localId":"s5","providerUserInfo":[{"providerId":"google.com","rawId":"1"}]}"#,
                "OPERATION_NOT_ALLOWED : Sign-in with google.com is not offered."
            ),
            (
                #"{"localId":"s6","providerUserInfo":[{"providerId":"google.com"}]}"#,
                "federatedId or (providerId & rawId) is required"
            ),
            (#"{"localId":"s7",\#(factor)}"#, "Second factor account requires email to be presented."),
            (
                #"{"localId":"s8","email":"s8@example.com",\#(factor)}"#,
                "Second factor account requires email to be verified."
            ),
            (
                #"{"localId":"s9","email":"s9@example.com","rawPassword":"short"}"#,
                "WEAK_PASSWORD : Password should be at least 6 characters"
            ),
        ]
        let errors = try importUsers(#"{"users":[\#(cases.map(\.user).joined(separator: ","))]}"#).json.objects("error")
        #expect(errors.map { $0.text("message") } == cases.map(\.message))
        let uids = (1...9).map { #""s\#($0)""# }.joined(separator: ",")
        #expect(try users(owner("/v1/accounts:lookup", #"{"localId":[\#(uids)]}"#)).isEmpty)
        let phone = #"{"providerId":"phone","rawId":"+16505551903"},{"providerId":"password"}"#
        let plain = #"{"localId":"s10","phoneNumber":"+16505551903","providerUserInfo":[\#(phone)]}"#
        #expect(try importUsers(#"{"users":[\#(plain)]}"#).json["error"] == nil)
        let taken = try importUsers(#"{"users":[{"localId":"s10"}]}"#).json.objects("error")
        #expect(taken.first?.text("message") == "localId belongs to an existing account - can not overwrite.")
    }

    @Test("an import with contradictory accounts is rejected as a whole")
    func contradictions() throws {
        let cases = [
            (#"{"users":[{"localId":"c1"},{"localId":"c1"}]}"#, "DUPLICATE_LOCAL_ID : c1"),
            (
                #"{"sanityCheck":true,"users":[{"localId":"c1","email":"c@example.com"},{"localId":"c2","email":"C@example.com"}]}"#,
                "DUPLICATE_EMAIL : C@example.com"
            ),
            (
                #"{"sanityCheck":true,"users":[{"localId":"c1","providerUserInfo":[{"providerId":"a","rawId":"b"}]},"#
                    + #"{"localId":"c2","providerUserInfo":[{"providerId":"a","rawId":"b"}]}]}"#,
                "DUPLICATE_RAW_ID : Provider id(a), Raw id(b)"
            ),
        ]
        for (json, message) in cases {
            let answer = try importUsers(json)
            #expect(answer.status == 400 && answer.errorMessage == message)
        }
        #expect(try users(owner("/v1/accounts:lookup", #"{"localId":["c1","c2"]}"#)).isEmpty)
        #expect(try !server.log.contains("c@example.com"))
    }

    @Test("uids that differ only in Unicode normalization are two accounts")
    func normalizedUIDs() throws {
        let uids = [#""caf\u00e9""#, #""cafe\u0301""#]
        let accounts = uids.map { #"{"localId":\#($0)}"# }.joined(separator: ",")
        #expect(try importUsers(#"{"users":[\#(accounts)]}"#).json["error"] == nil)
        let found = try users(owner("/v1/accounts:lookup", #"{"localId":[\#(uids.joined(separator: ","))]}"#))
        #expect(found.map { $0.text("localId").unicodeScalars.count } == [4, 5])

        func setEmail(_ uid: String) throws -> HTTPAnswer {
            try owner("/v1/accounts:update", #"{"localId":\#(uid),"email":"cafe@example.com"}"#)
        }
        #expect(try setEmail(uids[0]).status == 200)
        #expect(try setEmail(uids[1]).errorMessage == "EMAIL_EXISTS")
    }

    @Test("a second factor imported without an id gets one")
    func importedFactor() throws {
        let user =
            #"{"localId":"f1","email":"f1@example.com","emailVerified":true,"#
            + #""mfaInfo":[{"phoneInfo":"+16505551904","enrolledAt":"2026-01-31T08:15:30Z"}]}"#
        #expect(try importUsers(#"{"users":[\#(user)]}"#).json["error"] == nil)
        let found = try users(owner("/v1/accounts:lookup", #"{"localId":["f1"]}"#))
        let factor = try #require(found.first?.objects("mfaInfo").first)
        #expect(factor.text("phoneInfo") == "+16505551904" && !factor.text("mfaEnrollmentId").isEmpty)
    }

    @Test("a null list of second factors removes no factor")
    func nullEnrollments() throws {
        let answer = try owner("/v1/accounts:update", #"{"localId":"x","mfa":{"enrollments":null}}"#)
        #expect(answer.errorMessage == "Invalid JSON payload received. /mfa/enrollments must be array")
    }

    // MARK: Users

    @Test("an e-mail address set by an operator revokes ID tokens immediately, and new ones work as in the emulator")
    func addressByOperator() throws {
        let (number, factor) = (SecondFactorUser.freshNumber(), SecondFactorUser.freshNumber())
        let user = try server.prove(number)
        let uid = try #require(user["localId"], "\(user.text)")
        let email = SecondFactorUser.freshEmail()
        let fields = #"{"localId":"\#(uid)","email":"\#(email)","emailVerified":true}"#
        #expect(try owner("/v1/accounts:update", fields).status == 200)
        func enroll(_ idToken: String?) throws -> String? {
            try server.secondFactors(
                "mfaEnrollment:start",
                #"{"idToken":"\#(idToken ?? "")","phoneEnrollmentInfo":{"phoneNumber":"\#(factor)"}}"#
            ).errorMessage
        }
        #expect(try enroll(user["idToken"]) == "TOKEN_EXPIRED")
        #expect(
            try enroll(server.prove(number)["idToken"])
                == "UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor."
        )
    }

    @Test("setting an anonymous user's e-mail address revokes ID tokens immediately and returns a new one")
    func addressOfAnonymousUser() throws {
        let user = try server.post("/v1/accounts:signUp", "{}")
        let idToken = try #require(user["idToken"], "\(user.text)")
        let email = SecondFactorUser.freshEmail()
        let updated = try server.post("/v1/accounts:update", #"{"idToken":"\#(idToken)","email":"\#(email)"}"#)
        #expect(updated.status == 200 && updated["email"] == email, "\(updated.text)")
        #expect(try server.update(idToken, #""displayName":"Eve""#).errorMessage == "TOKEN_EXPIRED")
        let found = try users(server.lookUp(try #require(updated["idToken"]))).first
        #expect(found?.text("email") == email && found?["initialEmail"] == nil)
    }

    @Test("an identity with only a federated id is rejected")
    func federatedID() throws {
        let identity = #"{"federatedId":"https://accounts.google.com/1"}"#
        let imported = try importUsers(#"{"users":[{"localId":"i1","providerUserInfo":[\#(identity)]}]}"#)
        #expect(
            imported.json.objects("error").map { $0.text("message") }
                == ["federatedId or (providerId & rawId) is required"]
        )
        let user = try server.post("/v1/accounts:signUp", "{}")
        let uid = try #require(user["localId"], "\(user.text)")
        let fields = #"{"localId":"\#(uid)","linkProviderUserInfo":\#(identity)}"#
        #expect(try owner("/v1/accounts:update", fields).errorMessage == "OPERATION_NOT_ALLOWED")
    }

    @Test("a sign-up with second factors creates an account with these factors")
    func signUpWithFactors() throws {
        let email = SecondFactorUser.freshEmail()
        let fields = #""email":"\#(email)","password":"correct horse""#
        let made = try server.post(
            "/v1/accounts:signUp",
            #"{\#(fields),"mfaInfo":[{"phoneInfo":"+16505551905","displayName":"Phone"}]}"#
        )
        let idToken = try #require(made["idToken"], "\(made.text)")
        // Users see their own numbers in full, but not before the second factor is proven.
        let own = try users(server.lookUp(idToken)).first?.objects("mfaInfo").first
        #expect(own?.text("phoneInfo") == "+16505551905")
        let asked = try server.post("/v1/accounts:signInWithPassword", "{\(fields)}")
        #expect(asked["idToken"] == nil && asked["mfaPendingCredential"] != nil)
        #expect(asked.json.objects("mfaInfo").first?.text("phoneInfo") == "+*******1905")
        let refused = try server.post(
            "/v1/accounts:signUp",
            #"{"email":"x\#(email)","password":"correct horse","mfaInfo":[{"phoneInfo":"12"}]}"#
        )
        #expect(refused.errorMessage == "INVALID_MFA_PHONE_NUMBER : Invalid format.")
        #expect(try users(owner("/v1/accounts:lookup", #"{"email":["x\#(email)"]}"#)).isEmpty)
    }

    @Test("a second factor's message can be requested without phoneSignInInfo")
    func startWithoutInfo() throws {
        var user = try SecondFactorUser(server)
        let id = try user.enroll(SecondFactorUser.freshNumber())
        let fields = #"{"mfaPendingCredential":"\#(try user.pendingCredential())","mfaEnrollmentId":"\#(id)"}"#
        #expect(try server.secondFactors("mfaSignIn:start", fields).status == 200)
    }

    @Test("a user who is disabled between the two factors gets USER_DISABLED")
    func disabledBetweenFactors() throws {
        var user = try SecondFactorUser(server)
        let id = try user.enroll(SecondFactorUser.freshNumber())
        let credential = try user.pendingCredential()
        let finish = try user.preparedSignIn()
        #expect(try owner("/v1/accounts:update", #"{"localId":"\#(user.uid)","disableUser":true}"#).status == 200)
        #expect(try finish().errorMessage == "USER_DISABLED")
        #expect(try server.startSecondFactor(credential, id).errorMessage == "USER_DISABLED")
    }

    @Test(
        "empty fields sign no one in",
        arguments: [
            ("signUp", #"{"email":"","password":""}"#, "INVALID_EMAIL"),
            ("signUp", #"{"email":""}"#, "INVALID_EMAIL"),
            ("signUp", #"{"email":"","password":"abcdef"}"#, "MISSING_EMAIL"),
            ("signUp", #"{"password":""}"#, "MISSING_EMAIL"),
            ("signInWithPassword", #"{"email":"","password":"abcdef"}"#, "INVALID_EMAIL"),
            ("signInWithPassword", #"{"email":"","password":""}"#, "INVALID_EMAIL"),
        ]
    )
    func emptyFields(operation: String, json: String, message: String) throws {
        let answer = try server.post("/v1/accounts:\(operation)", json)
        #expect(answer.status == 400 && answer.errorMessage == message, "\(answer.text)")
    }

    @Test("custom tokens may lack times, or consist only of their JSON payload")
    func customTokens() throws {
        func signIn(_ token: String) throws -> HTTPAnswer {
            let body = JSONWriter.object { $0.member("token", token) }
            return try server.post("/v1/accounts:signInWithCustomToken", String(decoding: body, as: UTF8.self))
        }
        let json = try signIn(#"{"uid":"plain","claims":{"level":7}}"#)
        #expect(try idTokenClaims(try #require(json["idToken"], "\(json.text)"))["level"] == .number("7"))
        let audience =
            "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
        let payload = Base64URL.string(Array(#"{"aud":"\#(audience)","uid":"timeless"}"#.utf8))
        let unsigned = Base64URL.string(Array(#"{"alg":"none","typ":"JWT"}"#.utf8)) + "." + payload + "."
        #expect(try signIn(unsigned)["idToken"] != nil)
        #expect(try signIn("{}").errorMessage == "MISSING_IDENTIFIER")
        #expect(try signIn(#"{"uid":"x","claims":{"firebase":1}}"#).errorMessage == "FORBIDDEN_CLAIM : firebase")
        #expect(try signIn("junk").errorCode == "INVALID_CUSTOM_TOKEN")
    }

    @Test("createAuthUri returns the request's sessionId")
    func sessionID() throws {
        let fields = #""identifier":"nobody@example.com","continueUri":"http://localhost""#
        let path = "/v1/accounts:createAuthUri"
        #expect(try server.post(path, #"{\#(fields),"sessionId":"mine"}"#)["sessionId"] == "mine")
        #expect(try server.post(path, "{\(fields)}")["sessionId"]?.utf8.count == 27)
    }

    @Test("the form of a token refresh may have camelCase names")
    func tokenForm() throws {
        let token = try #require(try server.signInFresh("+16505551906")["refreshToken"])
        let answer = try HTTPClient(port: server.port).request(
            "POST",
            "/v1/token?key=any",
            headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array("grantType=refresh_token&refreshToken=\(token)".utf8)
        )
        #expect(answer.status == 200 && answer["id_token"] != nil, "\(answer.text)")
    }

    // MARK: The server

    @Test("GET / returns JSON to tools and the try-it page to browsers")
    func status() throws {
        for headers in [[], [("Accept", "application/json")], [("Accept", "*/*")]] {
            let answer = try server.get("/", headers: headers)
            #expect(answer.json.object("authEmulator")["ready"] == .bool(true))
        }
        let page = try server.get("/", headers: [("Accept", "text/html,application/xhtml+xml")])
        #expect(page.headers["content-type"]?.hasPrefix("text/html") == true)
    }

    @Test("CORS headers name the request's origin and let public pages access loopback")
    func crossOrigin() throws {
        let client = HTTPClient(port: try server.port)
        let preflight = try client.request(
            "OPTIONS",
            "/v1/accounts:lookup",
            headers: [
                ("Origin", "http://localhost:5173"), ("Access-Control-Request-Headers", "X-Whatever"),
                ("Access-Control-Request-Private-Network", "true"),
            ]
        )
        #expect(preflight.status == 204)
        #expect(preflight.headers["access-control-allow-origin"] == "http://localhost:5173")
        #expect(preflight.headers["access-control-allow-headers"] == "X-Whatever")
        #expect(preflight.headers["access-control-allow-private-network"] == "true")
        let answer = try server.post("/v1/accounts:lookup", "{}", headers: [("Origin", "http://localhost:5173")])
        #expect(answer.headers["access-control-allow-origin"] == "http://localhost:5173")
    }

    @Test("recaptchaConfig has the key that the JS SDK needs to cache that nothing is enforced")
    func recaptchaConfig() throws {
        let answer = try server.get(
            "/v2/recaptchaConfig?key=any&clientType=CLIENT_TYPE_WEB&version=RECAPTCHA_ENTERPRISE"
        )
        let parts = try #require(answer["recaptchaKey"]).split(separator: "/", omittingEmptySubsequences: false)
        #expect(parts.count == 4 && parts[0] == "projects" && parts[2] == "keys" && !parts[3].isEmpty)
        #expect(answer.json.objects("recaptchaEnforcementState").map { $0.text("enforcementState") } == ["OFF", "OFF"])
    }
}

/// Changes the configuration over the admin interface, with hooks that use plain HTTP on this machine.
@Suite struct EmulatorConfigurationTests {
    @Test("a hook on loopback may use http and is called from the next request on")
    func plainHook() throws {
        let server = try RunningServer(workers: 2)
        func configure(_ json: String) throws -> HTTPAnswer {
            try HTTPClient(port: server.port).request(
                "PATCH",
                "/v2/projects/demo-dialtone/config",
                headers: [("Content-Type", "application/json"), ("Authorization", "Bearer owner")],
                body: Array(json.utf8)
            )
        }
        func trigger(_ url: String) -> String {
            #"{"blockingFunctions":{"triggers":{"beforeCreate":{"functionUri":"\#(url)"}}}}"#
        }
        #expect(try server.signInFresh("+16505551907").status == 200)
        let url = "http://127.0.0.1:\(FreePort.next())/hook"
        #expect(try configure(trigger(url)).text.contains(url))
        // No server listens there, so a new account is refused. The hook is not called for an existing account.
        #expect(try server.signInFresh("+16505551908").errorCode == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(try server.signInFresh("+16505551907").status == 200)
        #expect(try configure(trigger("http://hooks.example/a")).errorCode == "INVALID_BLOCKING_FUNCTION")

        let forwarded = #"{"blockingFunctions":{"forwardInboundCredentials":{"idToken":true}}}"#
        #expect(
            try configure(forwarded).json["blockingFunctions"]
                == (try JSONValue.parse(Array(forwarded.utf8)))["blockingFunctions"]
        )
        #expect(try server.signInFresh("+16505551908").status == 200)
        #expect(try configure("{}").json["blockingFunctions"] == .object(JSONObject()))
    }
}

extension JSONValue {
    fileprivate subscript(name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }
}

import Encodings
import Testing

/// The golden examples in the protocol's documentation, compared byte for byte if they show bytes.
@Suite(.sharedServer) struct GoldenExamplesTests {
    let server: RunningServer

    init() throws {
        server = try #require(SharedServer.current)
    }

    struct Refusal: CustomTestStringConvertible {
        let path: String
        let body: String
        let status: Int
        let message: String
        var testDescription: String { "\(path) \(body)" }

        init(_ path: String, _ body: String, _ message: String, status: Int = 400) {
            self.path = path
            self.body = body
            self.message = message
            self.status = status
        }
    }

    @Test(
        "errors have the protocol's messages",
        arguments: [
            Refusal("/v1/accounts:sendVerificationCode", "{}", "INVALID_PHONE_NUMBER : Invalid format."),
            Refusal("/v1/accounts:sendVerificationCode", "", "INVALID_PHONE_NUMBER : Invalid format."),
            Refusal(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":""}"#,
                "INVALID_PHONE_NUMBER : Invalid format."
            ),
            Refusal(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":"invalid"}"#,
                "INVALID_PHONE_NUMBER : Invalid format."
            ),
            Refusal(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":5}"#,
                "INVALID_PHONE_NUMBER : Invalid format."
            ),
            Refusal(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":"+1650"}"#,
                "INVALID_PHONE_NUMBER : TOO_SHORT"
            ),
            Refusal(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":"+16505550101999"}"#,
                "INVALID_PHONE_NUMBER : TOO_LONG"
            ),
            Refusal(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":["x"]}"#,
                "Invalid JSON payload received. Invalid value at 'phoneNumber' (TYPE_STRING)."
            ),
            Refusal(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":"+16505550101","tenantId":"t"}"#,
                "UNSUPPORTED_TENANT_OPERATION"
            ),
            Refusal("/v1/accounts:signInWithPhoneNumber", #"{"code":"123456"}"#, "MISSING_SESSION_INFO"),
            Refusal("/v1/accounts:signInWithPhoneNumber", "{}", "MISSING_SESSION_INFO"),
            Refusal("/v1/accounts:signInWithPhoneNumber", #"{"sessionInfo":"x"}"#, "MISSING_CODE"),
            Refusal("/v1/accounts:signInWithPhoneNumber", #"{"sessionInfo":"zzz","code":"1"}"#, "INVALID_SESSION_INFO"),
            Refusal("/v1/accounts:signInWithPhoneNumber", #"{"temporaryProof":"x"}"#, "MISSING_PHONE_NUMBER"),
            Refusal(
                "/v1/accounts:signInWithPhoneNumber",
                #"{"temporaryProof":"x","phoneNumber":"+16505550101"}"#,
                "INVALID_TEMPORARY_PROOF"
            ),
            Refusal("/v1/accounts:lookup", "{}", "MISSING_ID_TOKEN"),
            Refusal("/v1/accounts:lookup", #"{"idToken":"junk"}"#, "INVALID_ID_TOKEN"),
            Refusal("/identitytoolkit/v3/relyingparty/getAccountInfo", #"{"idToken":"a.b.c"}"#, "INVALID_ID_TOKEN"),
            Refusal("/v1/accounts:delete", "{}", "MISSING_ID_TOKEN"),
            Refusal("/v1/accounts:delete", #"{"idToken":"junk"}"#, "INVALID_ID_TOKEN"),
            Refusal("/v1/accounts:update", "{}", "INVALID_REQ_TYPE : Unsupported request parameters."),
            Refusal("/v1/accounts:update", #"{"idToken":"junk"}"#, "INVALID_ID_TOKEN"),
            Refusal("/v1/accounts:update", #"{"idToken":"x","customAttributes":"{}"}"#, "INSUFFICIENT_PERMISSION"),
            Refusal("/v1/accounts:update", #"{"idToken":"x","disableUser":true}"#, "OPERATION_NOT_ALLOWED"),
            Refusal("/v1/accounts:signUp", #"{"localId":"x"}"#, "UNEXPECTED_PARAMETER : User ID"),
            Refusal("/v1/accounts:signInWithCustomToken", "{}", "MISSING_CUSTOM_TOKEN"),
            Refusal(
                "/identitytoolkit/v3/relyingparty/verifyCustomToken",
                #"{"token":"junk"}"#,
                "INVALID_CUSTOM_TOKEN : It is not a JWT."
            ),
            Refusal("/v1/token", "{}", "MISSING_GRANT_TYPE"),
            Refusal("/v1/token", #"{"grantType":"password"}"#, "INVALID_GRANT_TYPE"),
            Refusal("/v1/token", #"{"grantType":"refresh_token"}"#, "MISSING_REFRESH_TOKEN"),
            Refusal("/v1/token", #"{"grantType":"refresh_token","refreshToken":"junk"}"#, "INVALID_REFRESH_TOKEN"),
            Refusal(
                "/v1/token",
                #"{"grantType":"refresh_token","refreshToken":"AQAA\#(String(repeating: "A", count: 64))"}"#,
                "TOKEN_EXPIRED"
            ),
            Refusal("/v1/accounts:sendOobCode", "{}", "MISSING_REQ_TYPE"),
            Refusal("/v1/accounts:sendOobCode", #"{"requestType":"EMAIL_SIGNIN"}"#, "MISSING_EMAIL"),
            Refusal("/v1/accounts:resetPassword", #"{"oobCode":"junk"}"#, "INVALID_OOB_CODE"),
            Refusal("/v1/accounts:signInWithEmailLink", #"{"email":"a@example.com"}"#, "MISSING_OOB_CODE"),
            Refusal("/identitytoolkit/v3/relyingparty/verifyAssertion", "{}", "OPERATION_NOT_ALLOWED"),
        ]
    )
    func refusal(_ example: Refusal) throws {
        let answer = try server.post(example.path, example.body)
        #expect(answer.errorMessage == example.message)
        #expect(answer.status == example.status)
        try expectEnvelope(answer, status: "INVALID_ARGUMENT")
    }

    @Test("a call without an API key, or with an empty one, is forbidden", arguments: ["", "?key=", "?other=1"])
    func missingKey(query: String) throws {
        let answer = try HTTPClient(port: server.port)
            .request("POST", "/v1/accounts:sendVerificationCode\(query)", body: Array("{}".utf8))
        #expect(answer.status == 403)
        #expect(answer.errorMessage == "The request is missing a valid API key.")
        try expectEnvelope(answer, status: "PERMISSION_DENIED", reason: "forbidden")
    }

    @Test("the API key can be sent in a header")
    func keyAsHeader() throws {
        let answer = try server.get("/v1/projects", headers: [("x-goog-api-key", "any")])
        #expect(answer.status == 200)
        #expect(answer["projectId"] == "demo-dialtone")
    }

    @Test("a repeated send returns the same session on every form of the path")
    func everyPath() throws {
        let paths = [
            "/v1/accounts:sendVerificationCode",
            "/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode",
            "/identitytoolkit/v3/relyingparty/sendVerificationCode",
            "/www.googleapis.com/identitytoolkit/v3/relyingparty/sendVerificationCode",
        ]
        let sessions = try paths.map { path in
            try server.post(path, #"{"phoneNumber":"+1 650-555-0171","recaptchaToken":"t"}"#)["sessionInfo"]
        }
        #expect(sessions[0] != nil)
        #expect(Set(sessions).count == 1)
        #expect(try server.messages(to: "+16505550171").count == 1)
    }

    @Test("a new number signs in as a new user, then as a known one, on the legacy path, too")
    func signIn() throws {
        let first = try server.signInFresh("+16505550172")
        #expect(first.status == 200)
        #expect(first.json["isNewUser"] == .bool(true))
        #expect(first["phoneNumber"] == "+16505550172")
        #expect(first["expiresIn"] == "3600")
        #expect(first["localId"]?.count == 28)
        #expect(first["idToken"]?.split(separator: ".").count == 3)
        #expect(first["refreshToken"]?.isEmpty == false)

        let session = try server.openVerification("+16505550172")
        let code = try server.code(of: session)
        let second = try server.post(
            "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPhoneNumber",
            #"{"sessionInfo":"\#(session)","code":"\#(code)","operation":"SIGN_UP_OR_IN"}"#
        )
        #expect(second.json["isNewUser"] == .bool(false))
        #expect(second["localId"] == first["localId"])

        let again = try server.signIn(session, code)
        #expect(again.errorMessage == "SESSION_EXPIRED")
    }

    @Test("after five wrong codes, even the correct one is rejected")
    func attempts() throws {
        let session = try server.openVerification("+16505550173")
        let code = try server.code(of: session)
        for attempt in 0..<5 {
            #expect(try server.signIn(session, wrongCode(besides: code, attempt)).errorMessage == "INVALID_CODE")
        }
        #expect(try server.signIn(session, code).errorMessage == "TOO_MANY_ATTEMPTS_TRY_LATER")
    }

    @Test("a request that must link but names no account is rejected instead of treated as a sign-in")
    func linkingWithoutAccount() throws {
        let session = try server.openVerification("+16505550174")
        let code = try server.code(of: session)
        for (extra, message) in [
            (#""operation":"LINK""#, "MISSING_ID_TOKEN"), (#""operation":"UPDATE""#, "MISSING_ID_TOKEN"),
            (#""operation":4"#, "MISSING_ID_TOKEN"), (#""idToken":"x""#, "INVALID_ID_TOKEN"),
            (#""idToken":"x","operation":"LINK""#, "INVALID_ID_TOKEN"),
            (#""operation":"other""#, "Invalid JSON payload received. Invalid value at 'operation'."),
        ] {
            let answer = try server.post(
                "/v1/accounts:signInWithPhoneNumber",
                #"{"sessionInfo":"\#(session)","code":"\#(code)",\#(extra)}"#
            )
            #expect(answer.errorMessage == message)
        }
        #expect(try server.signIn(session, code).status == 200)
    }

    @Test("a refresh token gives a new ID token, from a form and from JSON, in camelCase and snake_case")
    func refresh() throws {
        let signedIn = try server.signInFresh("+16505550175")
        let token = try #require(signedIn["refreshToken"])
        let answers = [
            try server.refresh(token),
            try server.post(
                "/securetoken.googleapis.com/v1/token",
                #"{"grantType":"refresh_token","refreshToken":"\#(token)"}"#
            ),
            try server.post("/v1/token", #"{"grant_type":"refresh_token","refresh_token":"\#(token)"}"#),
        ]
        for answer in answers {
            #expect(answer.status == 200)
            #expect(answer["access_token"]?.isEmpty == false)
            #expect(answer["id_token"] == answer["access_token"])
            #expect(answer["refresh_token"] == token)
            #expect(answer["expires_in"] == "3600")
            #expect(answer["token_type"] == "Bearer")
            #expect(answer["user_id"] == signedIn["localId"])
            #expect(answer["project_id"] == "demo-dialtone")
        }
    }

    @Test("a lookup returns the account, with times as strings")
    func lookup() throws {
        let signedIn = try server.signInFresh("+16505550176")
        let answer = try server.lookUp(try #require(signedIn["idToken"]))
        #expect(answer["kind"] == "identitytoolkit#GetAccountInfoResponse")
        guard case .array(let users) = answer.json["users"], case .object(let user) = users.first else {
            Issue.record("no user")
            return
        }
        #expect(user.text("localId") == signedIn["localId"])
        #expect(user.text("phoneNumber") == "+16505550176")
        #expect(Int(user.text("createdAt")) != nil)
        #expect(user.text("createdAt") == user.text("lastLoginAt"))
        #expect(user.text("lastRefreshAt").hasSuffix("Z"))
        #expect(user["disabled"] == .bool(false))
        guard case .array(let providers) = user["providerUserInfo"], case .object(let provider) = providers.first else {
            Issue.record("no provider")
            return
        }
        #expect(provider.text("providerId") == "phone")
        #expect(provider.text("rawId") == "+16505550176")
    }

    @Test("reCAPTCHA Enterprise is disabled for every provider")
    func recaptchaConfig() throws {
        for path in ["/v2/recaptchaConfig", "/identitytoolkit.googleapis.com/v2/recaptchaConfig"] {
            let answer = try server.get("\(path)?key=k&clientType=CLIENT_TYPE_IOS&version=RECAPTCHA_ENTERPRISE")
            let expected = """
                {"recaptchaKey":"projects/demo-dialtone/keys/not-enforced",\
                "recaptchaEnforcementState":[{"provider":"PHONE_PROVIDER","enforcementState":"OFF"},\
                {"provider":"EMAIL_PASSWORD_PROVIDER","enforcementState":"OFF"}]}
                """
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self) == expected)
        }
    }

    @Test("the password policy has the lengths that sign-ups enforce, and requires nothing else")
    func passwordPolicy() throws {
        for path in ["/v2/passwordPolicy", "/identitytoolkit.googleapis.com/v2/passwordPolicy"] {
            let answer = try server.get("\(path)?key=k")
            let expected = #"""
                {"customStrengthOptions":{"minPasswordLength":6,"maxPasswordLength":4096},\#
                "allowedNonAlphanumericCharacters":["^","$","*",".","[","]","{","}","(",")","?","\"","!","@","#","%",\#
                "&","/","\\",",",">","<","'",":",";","|","_","~"],"enforcementState":"OFF",\#
                "forceUpgradeOnSignin":false,"schemaVersion":1}
                """#
            #expect(answer.status == 200)
            #expect(answer.text == expected)
        }
        for (length, status) in [(5, 400), (6, 200), (4096, 200), (4097, 400)] {
            let password = String(repeating: "p", count: length)
            let body = #"{"email":"policy-\#(length)@example.com","password":"\#(password)"}"#
            #expect(try server.post("/v1/accounts:signUp?key=k", body).status == status, "\(length) characters")
        }
    }

    @Test("project configuration and reCAPTCHA parameters are served under both names")
    func projectConfig() throws {
        for path in ["/v1/projects", "/www.googleapis.com/identitytoolkit/v3/relyingparty/getProjectConfig"] {
            let answer = try server.get("\(path)?key=k")
            #expect(answer["projectId"] == "demo-dialtone")
            #expect(
                answer.json["authorizedDomains"]
                    == .array([.string("localhost"), .string("demo-dialtone.firebaseapp.com")])
            )
        }
        for path in ["/v1/recaptchaParams", "/identitytoolkit/v3/relyingparty/getRecaptchaParam"] {
            #expect(try server.get("\(path)?key=k")["kind"] == "identitytoolkit#GetRecaptchaParamResponse")
        }
    }

    @Test("a browser's preflight allows the requested headers")
    func preflight() throws {
        let answer = try HTTPClient(port: server.port).request(
            "OPTIONS",
            "/v1/accounts:sendVerificationCode",
            headers: [
                ("Origin", "http://localhost:5173"), ("Access-Control-Request-Method", "POST"),
                ("Access-Control-Request-Headers", "x-client-version,x-firebase-gmpid,content-type"),
            ]
        )
        #expect(answer.status == 204)
        #expect(answer.headers["access-control-allow-origin"] == "http://localhost:5173")
        #expect(answer.headers["access-control-allow-headers"] == "x-client-version,x-firebase-gmpid,content-type")
        #expect(answer.headers["access-control-allow-methods"] == "GET, POST, PATCH, DELETE, OPTIONS")
        #expect(answer.headers["access-control-max-age"] == "86400")
    }

    @Test("pages of another origin can read errors")
    func crossOriginErrors() throws {
        let answer = try server.post("/v1/accounts:lookup", "{}", headers: [("Origin", "http://localhost:5173")])
        #expect(answer.headers["access-control-allow-origin"] == "http://localhost:5173")
    }

    @Test("an unknown path is not found, even below a known prefix")
    func unknownPath() throws {
        for path in ["/nope", "/v1/accounts:nope", "/v1/accounts", "/identitytoolkit/v3/relyingparty/nope", "/v1/"] {
            let answer = try server.post(path, "{}")
            #expect(answer.status == 404)
            #expect(answer.errorMessage == "Not Found")
            try expectEnvelope(answer, status: "NOT_FOUND", reason: "notFound")
        }
    }
}

/// Checks that the parts of the envelope agree, as iOS and JS read them.
func expectEnvelope(_ answer: HTTPAnswer, status: String, reason: String? = nil) throws {
    guard case .object(let error) = answer.json["error"], case .array(let errors) = error["errors"],
        case .object(let first) = errors.first
    else {
        Issue.record("no envelope: \(String(decoding: answer.body.prefix(300), as: UTF8.self))")
        return
    }
    #expect(error["code"] == .number(String(answer.status)))
    #expect(error.text("status") == status)
    #expect(first.text("message") == error.text("message"))
    #expect(first.text("domain") == "global")
    if let reason { #expect(first.text("reason") == reason) }
    #expect(errors.count == 1 && first.members.allSatisfy { if case .string = $0.value { true } else { false } })
}

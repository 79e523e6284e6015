import Encodings
import Processes
import TestServers
import Testing

/// E-mails with action links, as SDKs request and use them, through the whole server in development mode.
@Suite struct EmailActionTests {
    private let server: RunningServer
    private let email = "ada@example.com"

    init() throws { server = try RunningServer(workers: 2) }

    private func codes(_ type: String) throws -> [String] {
        try server.emailCodes().filter { $0.text("requestType") == type }.map { $0.text("oobCode") }
    }

    private func reset(_ code: String, _ password: String) throws -> HTTPAnswer {
        try server.post("/v1/accounts:resetPassword", #"{"oobCode":"\#(code)","newPassword":"\#(password)"}"#)
    }

    @Test("a user resets a forgotten password", arguments: ["v1", "legacy"])
    func passwordReset(names: String) throws {
        let legacy = "/identitytoolkit/v3/relyingparty"
        let (send, reset) =
            names == "v1"
            ? ("/v1/accounts:sendOobCode", "/v1/accounts:resetPassword")
            : ("\(legacy)/getOobConfirmationCode", "\(legacy)/resetPassword")
        let user = try server.signUp(email)
        let type = names == "v1" ? #""PASSWORD_RESET""# : "1"
        let sent = try server.post(send, #"{"requestType":\#(type),"email":"Ada@Example.com"}"#)
        #expect(sent["kind"] == "identitytoolkit#GetOobConfirmationCodeResponse" && sent["email"] == email)
        #expect(sent["oobCode"] == nil && sent["oobLink"] == nil)
        let code = try #require(try codes("PASSWORD_RESET").first)
        let checked = try server.post(reset, #"{"oobCode":"\#(code)"}"#)
        #expect(checked["requestType"] == "PASSWORD_RESET" && checked["email"] == email)
        let done = try server.post(reset, #"{"oobCode":"\#(code)","newPassword":"a new password"}"#)
        #expect(done.status == 200 && done["email"] == email)
        #expect(try codes("PASSWORD_RESET").isEmpty)
        #expect(try server.lookUp(try #require(user["idToken"])).errorMessage == "TOKEN_EXPIRED")
        let body = #"{"email":"\#(email)","password":"a new password"}"#
        #expect(try server.post("/v1/accounts:signInWithPassword", body)["localId"] == user["localId"])
        #expect(try self.reset(code, "another one").errorMessage == "INVALID_OOB_CODE")
        let log = server.log
        for secret in [code, email, "a new password"] { #expect(!log.contains(secret)) }
    }

    @Test(
        "the link is on the host of a development server, has what the SDKs parse, and can have a path for apps",
        arguments: ["", #","iOSBundleId":"com.example.app""#, #","androidPackageName":"com.example.app""#]
    )
    func link(app: String) throws {
        let url = "http://localhost:8080/done?a=b#c"
        let sent = try server.requestEmail(
            "EMAIL_SIGNIN",
            #""email":"\#(email)","continueUrl":"\#(url)","canHandleCodeInApp":true\#(app)"#,
            headers: [("X-Firebase-Locale", "de")]
        )
        #expect(sent.status == 200)
        let listed = try #require(try server.emailCodes().first)
        #expect(
            listed.text("oobLink") == "http://localhost/__/auth/\(app.isEmpty ? "action" : "links")?mode=signIn&lang=de"
                + "&oobCode=\(listed.text("oobCode"))&apiKey=\(RunningServer.apiKey)"
                + "&continueUrl=http%3A%2F%2Flocalhost%3A8080%2Fdone%3Fa%3Db%23c"
        )
        let checked = try server.post("/v1/accounts:resetPassword", #"{"oobCode":"\#(listed.text("oobCode"))"}"#)
        #expect(checked["requestType"] == "EMAIL_SIGNIN" && checked["email"] == nil)
    }

    @Test("a user signs in with a link, and the account shows it")
    func signIn() throws {
        let code = try server.emailCode(toSignIn: email)
        #expect(
            try server.signIn("bob@example.com", link: code).errorMessage
                == "INVALID_EMAIL : The email provided does not match the sign-in email address."
        )
        let signedIn = try server.signIn(email, link: code)
        #expect(signedIn["kind"] == "identitytoolkit#EmailLinkSigninResponse" && signedIn["email"] == email)
        #expect(signedIn.json["isNewUser"] == .bool(true) && signedIn["refreshToken"] != nil)
        #expect(try server.signIn(email, link: code).errorMessage == "INVALID_OOB_CODE")
        let text = try server.lookUp(try #require(signedIn["idToken"])).text
        #expect(text.contains(#""emailVerified":true"#) && text.contains(#""emailLinkSignin":true"#))
        #expect(text.contains(#""providerId":"password""#))
        let body = #"{"identifier":"\#(email)","continueUri":"http://localhost"}"#
        let methods = try server.post("/v1/accounts:createAuthUri", body)
        #expect(methods.json["signinMethods"] == .array([.string("emailLink")]))
        #expect(methods.json["allProviders"] == .array([.string("password")]))
        let again = try server.signIn(email, link: try server.emailCode(toSignIn: email))
        #expect(again["localId"] == signedIn["localId"] && again.json["isNewUser"] == .bool(false))
    }

    @Test("a user verifies and changes the address, and the former address undoes the change")
    func change() throws {
        let user = try server.signUp(email)
        let idToken = try #require(user["idToken"])
        #expect(try server.requestEmail("VERIFY_EMAIL", #""idToken":"\#(idToken)""#)["email"] == email)
        func apply(_ type: String) throws -> HTTPAnswer {
            try server.post("/v1/accounts:update", #"{"oobCode":"\#(try #require(try codes(type).first))"}"#)
        }
        let verified = try apply("VERIFY_EMAIL")
        #expect(verified["localId"] == user["localId"] && verified.json["emailVerified"] == .bool(true))
        let sent = try server.requestEmail(
            "VERIFY_AND_CHANGE_EMAIL",
            #""idToken":"\#(idToken)","newEmail":"new@example.com""#
        )
        #expect(sent["email"] == email)
        #expect(try server.emailCodes().last?.text("newEmail") == "new@example.com")
        let changed = try apply("VERIFY_AND_CHANGE_EMAIL")
        #expect(changed["email"] == "new@example.com" && changed.json["emailVerified"] == .bool(true))
        #expect(try server.lookUp(idToken).errorMessage == "TOKEN_EXPIRED")
        let recovered = try apply("RECOVER_EMAIL")
        #expect(recovered["email"] == email && recovered.json["emailVerified"] == .bool(true))
        #expect(try server.emailCodes().isEmpty)
    }

    @Test("refusals have the protocol's words")
    func refusals() throws {
        let idToken = try #require(try server.signUp(email)["idToken"])
        #expect(try server.signUp("bob@example.com").status == 200)
        let cases: [(type: String, members: String, message: String)] = [
            ("OOB_REQ_TYPE_UNSPECIFIED", #""email":"a@example.com""#, "MISSING_REQ_TYPE"),
            ("RECOVER_EMAIL", #""email":"a@example.com""#, "INVALID_REQ_TYPE : Unsupported request type."),
            ("PASSWORD_RESET", #""email":"""#, "MISSING_EMAIL"),
            ("PASSWORD_RESET", #""email":"nobody@example.com""#, "EMAIL_NOT_FOUND"),
            ("EMAIL_SIGNIN", #""email":"ada""#, "INVALID_EMAIL"),
            ("EMAIL_SIGNIN", #""email":"a@example.com","returnOobLink":true"#, "INSUFFICIENT_PERMISSION"),
            ("EMAIL_SIGNIN", #""email":"a@example.com","canHandleCodeInApp":true"#, "MISSING_CONTINUE_URI"),
            (
                "EMAIL_SIGNIN", #""email":"a@example.com","continueUrl":"nowhere""#,
                "INVALID_CONTINUE_URI : The continue URL must be an absolute http or https URL."
            ),
            (
                "EMAIL_SIGNIN", #""email":"a@example.com","linkDomain":"evil.example""#,
                "INVALID_HOSTING_LINK_DOMAIN"
            ),
            (
                "EMAIL_SIGNIN", #""email":"a@example.com","dynamicLinkDomain":"evil.example""#,
                "INVALID_DYNAMIC_LINK_DOMAIN"
            ),
            (
                "EMAIL_SIGNIN", #""email":"a@example.com","androidInstallApp":true"#,
                "MISSING_ANDROID_PACKAGE_NAME"
            ),
            ("VERIFY_EMAIL", #""email":"\#(email)""#, "INVALID_ID_TOKEN"),
            ("VERIFY_AND_CHANGE_EMAIL", #""idToken":"\#(idToken)""#, "MISSING_NEW_EMAIL"),
            ("VERIFY_AND_CHANGE_EMAIL", #""newEmail":"new@example.com""#, "MISSING_ID_TOKEN"),
            (
                "VERIFY_AND_CHANGE_EMAIL", #""idToken":"\#(idToken)","newEmail":"bob@example.com""#,
                "EMAIL_EXISTS"
            ),
        ]
        for (type, members, message) in cases {
            let answer = try server.requestEmail(type, members)
            #expect(answer.status == 400 && answer.errorMessage == message, "\(type) \(members)")
        }
        #expect(try server.emailCodes().isEmpty)
    }

    @Test("a developer gets links in place of e-mails, by address or by ID token")
    func owner() throws {
        let owner = [("Authorization", "Bearer owner")]
        let idToken = try #require(try server.signUp(email)["idToken"])
        func link(_ type: String, _ members: String) throws -> HTTPAnswer {
            try HTTPClient(port: server.port).request(
                "POST",
                "/v1/accounts:sendOobCode",
                headers: owner + [("Content-Type", "application/json")],
                body: Array(#"{"requestType":"\#(type)","returnOobLink":true,\#(members)}"#.utf8)
            )
        }
        for (type, members) in [
            ("PASSWORD_RESET", #""email":"\#(email)""#), ("EMAIL_SIGNIN", #""email":"new@example.com""#),
            ("VERIFY_EMAIL", #""email":"\#(email)""#), ("VERIFY_EMAIL", #""idToken":"\#(idToken)""#),
            ("VERIFY_AND_CHANGE_EMAIL", #""email":"\#(email)","newEmail":"new@example.com""#),
        ] {
            let answer = try link(type, members)
            let code = try #require(answer["oobCode"], "\(type) \(answer.text)")
            #expect(answer["oobLink"]?.contains("oobCode=\(code)&") == true)
        }
        #expect(try link("VERIFY_EMAIL", #""email":"nobody@example.com""#).errorMessage == "USER_NOT_FOUND")
        #expect(try link("VERIFY_EMAIL", #""displayName":"x""#).errorMessage == "MISSING_EMAIL")
    }
}

/// The same in production mode.
@Suite struct EmailActionInProductionTests {
    private static let gateway = [
        "MAIL_GATEWAYS": "mails", "GATEWAY_MAILS_KIND": "file", "GATEWAY_MAILS_FILE": "/dev/null",
        "MAIL_FROM": "no-reply@example.com",
    ]
    private let server: RunningServer
    /// The members of a request for a link to sign in.
    private let signIn = #""email":"ada@example.com","continueUrl":"https://auth.example.com/""#

    init() throws {
        server = try RunningServer(
            .production,
            workers: 1,
            settings: [
                "ADMIN_ROUTES": "enabled", "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled",
                "PROJECT_DEMO_DIALTONE_AUTHORIZED_DOMAINS": "auth.example.com, app.example.com:8443",
                "MAILS_PER_ADDRESS_PER_HOUR": "2",
            ].merging(Self.gateway) { own, _ in own }
        )
    }

    @Test("an administrator's link is on the first authorized domain, whatever the request's host is")
    func administrator() throws {
        #expect(try server.signUp("ada@example.com").status == 200)
        let answer = try server.administer(
            "sendOobCode",
            #"{"requestType":"PASSWORD_RESET","email":"ada@example.com","returnOobLink":true}"#,
            bearer: try server.adminBearer()
        )
        let code = try #require(answer["oobCode"])
        #expect(
            answer["oobLink"] == "https://auth.example.com/__/auth/action?mode=resetPassword&lang=en"
                + "&oobCode=\(code)&apiKey=\(RunningServer.apiKey)"
        )
        let read = try server.administer(
            "sendOobCode",
            #"{"requestType":"PASSWORD_RESET","email":"ada@example.com","returnOobLink":true}"#,
            bearer: try server.adminBearer(access: "read")
        )
        #expect(read.status == 403)
    }

    @Test("users are sent only to authorized domains afterwards")
    func continueURL() throws {
        func send(_ url: String) throws -> String? {
            let members = #""email":"\#(url.hashValue)@example.com","continueUrl":"\#(url)""#
            return try server.requestEmail("PASSWORD_RESET", members).errorCode
        }
        for url in ["https://auth.example.com", "https://app.example.com:8443/a#b", "https://auth.example.com:9/?q"] {
            #expect(try send(url) == nil, "\(url)")
        }
        for url in [
            "https://evil.example", "https://auth.example.com.evil.example/", "https://app.example.com/",
            "https://evil.example/auth.example.com", "https://auth.example.com@evil.example",
            #"https://evil.example\\@auth.example.com"#, "https://",
        ] {
            #expect(try send(url) == "UNAUTHORIZED_DOMAIN", "\(url)")
        }
        for url in [
            "javascript:alert(1)", "//auth.example.com", "https:auth.example.com",
        ] {
            #expect(try send(url) == "INVALID_CONTINUE_URI", "\(url)")
        }
    }

    @Test("a project whose operator has named no domain sends no links")
    func unnamed() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled"].merging(Self.gateway) { own, _ in own }
        )
        let refused = try server.requestEmail("PASSWORD_RESET", #""email":"ada@example.com""#)
        #expect(refused.errorMessage == "OPERATION_NOT_ALLOWED")
        let explained = try server.dialtone("explain", try #require(refused.headers["dialtone-reference"]))
        #expect(explained.output.contains("no authorized domain for links"))
    }

    @Test("responses do not reveal whether an address has an account, even beyond the rate limit")
    func enumeration() throws {
        #expect(try server.signUp("ada@example.com").status == 200)
        var answers: [[String]] = []
        for email in ["ada@example.com", "bob@example.com"] {
            answers.append([])
            for _ in 1...4 {
                let answer = try server.requestEmail("PASSWORD_RESET", #""email":"\#(email)""#)
                answers[answers.count - 1].append(answer.text.replacing(email, with: ""))
            }
        }
        #expect(answers[0] == answers[1])
        let link = try server.requestEmail("EMAIL_SIGNIN", signIn)
        #expect(link.errorMessage == "OPERATION_NOT_ALLOWED", "links are off unless an operator enables them")
    }

    @Test("e-mails beyond a limit are refused, and the configuration enables links")
    func limits() throws {
        let bearer = try server.adminBearer()
        let changed = try HTTPClient(port: server.port).request(
            "PATCH",
            "/admin/v2/projects/demo-dialtone/config?updateMask=signIn.email.passwordRequired",
            headers: [("Content-Type", "application/json"), ("Authorization", bearer)],
            body: Array(#"{"signIn":{"email":{"passwordRequired":false}}}"#.utf8)
        )
        #expect(changed.text.contains(#""passwordRequired":false"#))
        #expect(
            try eventually {
                try server.requestEmail("EMAIL_SIGNIN", signIn).status == 200
            }
        )
        let nowhere = try server.requestEmail("EMAIL_SIGNIN", #""email":"bob@example.com""#)
        #expect(nowhere.errorMessage == "MISSING_CONTINUE_URI")
        #expect(try server.requestEmail("PASSWORD_RESET", #""email":"ada@example.com""#).status == 200)
        let idToken = try #require(try server.signUp("ada@example.com")["idToken"])
        let refused = try server.requestEmail("VERIFY_EMAIL", #""idToken":"\#(idToken)""#)
        #expect(refused.errorMessage == "TOO_MANY_ATTEMPTS_TRY_LATER" && refused.headers["retry-after"] != nil)
        let reference = try #require(refused.headers["dialtone-reference"])
        let explained = try server.dialtone("explain", reference)
        #expect(explained.output.contains("TOO_MANY_ATTEMPTS_TRY_LATER") && explained.output.contains("e-mails"))
    }
}

import Encodings
import Processes
import TestServers
import Testing

/// E-mail addresses and passwords, as apps use them, through the whole server.
@Suite struct PasswordTests {
    /// Starts a server in production mode, where addresses are not revealed.
    private func server(_ settings: [String: String] = [:]) throws -> RunningServer {
        let standard = ["PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled"]
        return try RunningServer(.production, workers: 2, settings: standard.merging(settings) { _, chosen in chosen })
    }

    private func signUp(_ server: RunningServer, _ email: String, path: String = "/v1/accounts:signUp") throws
        -> HTTPAnswer
    {
        try server.post(
            path,
            #"{"email":"\#(email)","password":"correct horse","displayName":"Ada","returnSecureToken":true}"#
        )
    }

    private func signIn(
        _ server: RunningServer,
        _ email: String,
        _ password: String = "correct horse",
        path: String = "/v1/accounts:signInWithPassword"
    ) throws -> HTTPAnswer {
        try server.post(path, #"{"email":"\#(email)","password":"\#(password)","returnSecureToken":true}"#)
    }

    @Test("an address signs in and is taken in whatever form it is typed")
    func forms() throws {
        let server = try server()
        #expect(try signUp(server, "zoë@bücher.example")["email"] == "zoë@xn--bcher-kva.example")
        for form in ["ZOE\u{308}@bu\u{308}cher.example", "zoë@xn--bcher-kva.example"] {
            #expect(try signIn(server, form)["idToken"] != nil, "\(form)")
            #expect(try signUp(server, form).errorMessage == "EMAIL_EXISTS", "\(form)")
        }
    }

    @Test("a user signs up and in by password, and tokens and lookup name the provider", arguments: ["v1", "legacy"])
    func life(names: String) throws {
        let server = try server()
        let legacy = "/identitytoolkit/v3/relyingparty"
        let isLegacy = names == "legacy"
        let signedUp = try signUp(
            server,
            "Ada@Example.com",
            path: isLegacy ? "\(legacy)/signupNewUser" : "/v1/accounts:signUp"
        )
        #expect(signedUp["kind"] == "identitytoolkit#SignupNewUserResponse")
        #expect(signedUp["email"] == "ada@example.com" && signedUp["displayName"] == "Ada")
        let signedIn = try signIn(
            server,
            "ada@EXAMPLE.com",
            path: isLegacy ? "\(legacy)/verifyPassword" : "/v1/accounts:signInWithPassword"
        )
        #expect(signedIn["kind"] == "identitytoolkit#VerifyPasswordResponse")
        #expect(signedIn.json["registered"] == .bool(true))
        #expect(signedIn["localId"] == signedUp["localId"] && signedIn["expiresIn"] == "3600")
        let claims = try idTokenClaims(try #require(signedIn["idToken"]))
        #expect(claims.text("email") == "ada@example.com" && claims["email_verified"] == .bool(false))
        guard case .object(let firebase) = claims["firebase"], case .object(let identities) = firebase["identities"]
        else {
            Issue.record("no identities")
            return
        }
        #expect(firebase.text("sign_in_provider") == "password")
        #expect(identities["email"] == .array([.string("ada@example.com")]))
        let text = String(decoding: try server.lookUp(try #require(signedIn["idToken"])).body, as: UTF8.self)
        #expect(text.contains(#""email":"ada@example.com","emailVerified":false"#))
        #expect(
            text.contains(
                #"{"providerId":"password","email":"ada@example.com","federatedId":"ada@example.com","rawId":"ada@example.com""#
            )
        )
        #expect(text.contains(#""passwordUpdatedAt":1"#))
        let refreshed = try server.refresh(try #require(signedIn["refreshToken"]))
        #expect(try idTokenClaims(try #require(refreshed["id_token"])).text("email") == "ada@example.com")
    }

    @Test("errors have the protocol's messages, equal for unknown and known addresses (no user enumeration)")
    func errors() throws {
        let server = try server()
        #expect(try signUp(server, "ada@example.com").status == 200)
        for (path, json, message) in [
            ("signUp", #"{"email":"ada@example.com","password":"correct horse"}"#, "EMAIL_EXISTS"),
            ("signUp", #"{"email":"ada","password":"correct horse"}"#, "INVALID_EMAIL"),
            ("signUp", #"{"email":"a@example.com"}"#, "MISSING_PASSWORD"),
            ("signUp", #"{"password":"abcdef"}"#, "MISSING_EMAIL"),
            (
                "signUp", #"{"email":"a@example.com","password":"12345"}"#,
                "WEAK_PASSWORD : Password should be at least 6 characters"
            ),
            (
                "signUp", #"{"email":"a@example.com","password":"123456","localId":"x"}"#,
                "UNEXPECTED_PARAMETER : User ID"
            ),
            ("signInWithPassword", #"{"password":"x"}"#, "MISSING_EMAIL"),
            ("signInWithPassword", #"{"email":"ada@example.com"}"#, "MISSING_PASSWORD"),
            ("signInWithPassword", #"{"email":"ada","password":"x"}"#, "INVALID_EMAIL"),
            ("signInWithPassword", #"{"email":"ada@example.com","password":"x"}"#, "INVALID_LOGIN_CREDENTIALS"),
            ("signInWithPassword", #"{"email":"bob@example.com","password":"x"}"#, "INVALID_LOGIN_CREDENTIALS"),
            ("createAuthUri", #"{"continueUri":"http://localhost"}"#, "MISSING_IDENTIFIER"),
            ("createAuthUri", #"{"identifier":"ada@example.com"}"#, "MISSING_CONTINUE_URI"),
            ("createAuthUri", #"{"identifier":"ada","continueUri":"http://localhost"}"#, "INVALID_IDENTIFIER"),
            ("createAuthUri", #"{"identifier":"ada@example.com","continueUri":"nowhere"}"#, "INVALID_CONTINUE_URI"),
        ] {
            let answer = try server.post("/v1/accounts:\(path)", json)
            #expect(answer.status == 400 && answer.errorMessage == message, "\(path) \(json)")
        }
        let methods = try server.post(
            "/v1/accounts:createAuthUri",
            #"{"identifier":"ada@example.com","continueUri":"http://localhost"}"#
        )
        #expect(methods["sessionId"] != nil && methods.json["registered"] == nil)
        let log = server.log
        for secret in ["example.com", "correct horse"] { #expect(!log.contains(secret)) }
    }

    @Test("in development mode, errors distinguish known addresses, as in the reference emulator")
    func development() throws {
        let server = try RunningServer(workers: 1)
        #expect(try signUp(server, "ada@example.com").status == 200)
        #expect(try signIn(server, "ada@example.com", "wrong").errorMessage == "INVALID_PASSWORD")
        #expect(try signIn(server, "bob@example.com").errorMessage == "EMAIL_NOT_FOUND")
        let json = #"{"identifier":"ada@example.com","continueUri":"http://localhost"}"#
        let methods = try server.post("/v1/accounts:createAuthUri", json)
        #expect(methods.json["registered"] == .bool(true))
        #expect(methods.json["signinMethods"] == .array([.string("password")]))
    }

    @Test("wrong passwords are rate limited per network and address, and the log names the limit")
    func limit() throws {
        let server = try server(["WRONG_PASSWORDS_PER_EMAIL_AND_NETWORK_PER_HOUR": "2"])
        for _ in 0..<2 { #expect(try signIn(server, "bob@example.com").errorMessage == "INVALID_LOGIN_CREDENTIALS") }
        let refused = try signIn(server, "bob@example.com")
        #expect(refused.errorMessage == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(refused.headers["retry-after"].flatMap { Int($0) }.map { (3500...3600).contains($0) } == true)
        #expect(server.log.contains("wrong passwords for the e-mail address from this network"))
    }

    @Test("linking by signUp, changes and removals respond as the SDKs expect")
    func changes() throws {
        let server = try RunningServer(workers: 2)
        let phone = try server.signInFresh("+16505550181")
        let linked = try server.post(
            "/v1/accounts:signUp",
            #"{"idToken":"\#(try #require(phone["idToken"]))","email":"ada@example.com","password":"correct horse"}"#
        )
        #expect(linked["localId"] == phone["localId"] && linked["email"] == "ada@example.com")
        #expect(try signIn(server, "ada@example.com")["localId"] == phone["localId"])
        let changed = try server.post(
            "/v1/accounts:update",
            #"{"idToken":"\#(try #require(linked["idToken"]))","email":"Lovelace@example.com","password":"battery staple","displayName":"Ada"}"#
        )
        #expect(changed["kind"] == "identitytoolkit#SetAccountInfoResponse")
        #expect(changed["email"] == "lovelace@example.com" && changed.json["emailVerified"] == .bool(false))
        #expect(try signIn(server, "ada@example.com").errorMessage == "EMAIL_NOT_FOUND")
        #expect(try signIn(server, "lovelace@example.com", "battery staple").status == 200)
        let removed = try server.post(
            "/identitytoolkit/v3/relyingparty/setAccountInfo",
            #"{"idToken":"\#(try #require(changed["idToken"]))","deleteProvider":["password"]}"#
        )
        #expect(removed.status == 200 && removed["email"] == nil && removed["idToken"] != nil)
        #expect(try signIn(server, "lovelace@example.com", "battery staple").errorMessage == "EMAIL_NOT_FOUND")
    }

    @Test("a worker releases the memory of password hashing")
    func memory() throws {
        let server = try RunningServer(workers: 1)
        let worker = try #require(server.runningWorkers.first)
        _ = try server.signInFresh("+16505550182")
        func heap() -> Int { processMemory(worker.processID, "RssAnon") }
        let before = heap()
        #expect(before > 0)
        #expect(try signUp(server, "ada@example.com").status == 200)
        for _ in 0..<4 { #expect(try signIn(server, "ada@example.com").status == 200) }
        // A hash takes 19 MiB, which its thread may release after the response.
        #expect(eventually { heap() - before < 10 * 1024 })
    }

    @Test("if password sign-in is disabled, SDKs get the matching error")
    func turnedOff() throws {
        let server = try RunningServer(.production, workers: 1)
        #expect(try signUp(server, "ada@example.com").errorMessage == "OPERATION_NOT_ALLOWED")
        #expect(try signIn(server, "ada@example.com").errorMessage == "PASSWORD_LOGIN_DISABLED")
    }
}

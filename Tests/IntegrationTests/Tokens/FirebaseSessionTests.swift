import Encodings
import GatewayStandIn
import PhoneAuth
import Processes
import TestBrowser
import TestServers
import Testing

/// Users of a Firebase project whose apps send their next token refresh to Dialtone.
@Suite(.sharedBrowser, .timeLimit(.minutes(10))) struct FirebaseSessionTests {
    @Test("the user stays signed in, with the sign-in and the second factor of Firebase, and Google is asked once")
    func takeover() async throws {
        let deployment = try await FirebaseDeployment()
        let server = deployment.server
        try deployment.importUser("ann", "+16505550170", fields: #","customAttributes":"{\"plan\":\"gold\"}""#)
        let token = deployment.signInAtFirebase("ann", provider: "password") { claims in
            claims[path: ["firebase", "sign_in_second_factor"]] = .string("phone")
            claims[path: ["firebase", "second_factor_identifier"]] = .string("factor")
        }
        // As Dialtone's client and the iOS SDK send it.
        let json = #"{"grantType":"refresh_token","refreshToken":"\#(token)"}"#
        let answer = try server.post("/v1/token", json)
        #expect(answer["user_id"] == "ann" && answer["token_type"] == "Bearer", "\(answer.text)")
        let first = try idTokenClaims(try #require(answer["access_token"]))
        let refreshToken = try #require(answer["refresh_token"])
        let refreshed = try server.refresh(refreshToken)
        let second = try idTokenClaims(try #require(refreshed["id_token"]))
        for claims in [first, second] {
            #expect(claims.text("sub") == "ann" && claims.text("phone_number") == "+16505550170")
            #expect(claims.text("plan") == "gold" && claims.text("aud") == "demo-dialtone")
            let firebase = claims.object("firebase")
            #expect(firebase.text("sign_in_provider") == "password")
            #expect(firebase.text("sign_in_second_factor") == "phone")
            #expect(firebase.text("second_factor_identifier") == "factor")
            let age = Environment.system.now().seconds - (claims["auth_time"]?.wholeNumber ?? 0)
            #expect((86_399...86_460).contains(age))
        }
        #expect(deployment.exchanges == 1)
        #expect(try server.lookUp(try #require(answer["id_token"])).status == 200)
        let events = try server.dialtone("audit", "--account", "ann", "--kind", "sign-in").output
        #expect(events.contains("sign-in password phone firebase"), "\(events)")
        #expect(!server.log.contains(token) && !server.log.contains("AIza-key"))
        #expect(!server.redis.cli("KEYS", "*").contains(token))
    }

    @Test("concurrent and repeated exchanges give one session, and later ones are refused")
    func once() async throws {
        let deployment = try await FirebaseDeployment(workers: 2, settings: ["REFRESH_TOKEN_GRACE_SECONDS": "3"])
        let server = deployment.server
        try deployment.importUser("ann", "+16505550170")
        let token = deployment.signInAtFirebase("ann")
        let answers = try inParallel(8) { _ in try server.refresh(token) }
        // Few threads wait for Google's server at a time.
        #expect(answers.allSatisfy { $0.status == 503 || $0["refresh_token"] != nil })
        let tokens = Set(answers.compactMap { $0["refresh_token"] })
        #expect(tokens.count == 1)
        let first = try #require(tokens.first)
        #expect(try server.refresh(token)["refresh_token"] == first)
        let sessions = try server.administer("listSessions", #"{"localId":"ann"}"#)
        #expect(sessions.json.objects("sessions").count == 1, "\(sessions.text)")
        let isRefused = eventually { (try? server.refresh(token).errorMessage) == "TOKEN_EXPIRED" }
        #expect(isRefused)
        let exchanges = deployment.exchanges
        #expect(try server.refresh(token).errorMessage == "TOKEN_EXPIRED")
        #expect(deployment.exchanges == exchanges, "Google is not asked about a used token")
        #expect(try server.refresh(first).status == 200)
    }

    @Test("a lost response of Google's server does not use up the token")
    func lostAnswer() async throws {
        let deployment = try await FirebaseDeployment(settings: ["REFRESH_TOKEN_GRACE_SECONDS": "1"])
        try deployment.importUser("ann", "+16505550170")
        let token = deployment.signInAtFirebase("ann")
        deployment.google.queue(.cutAtEnd)
        let lost = try deployment.server.refresh(token)
        #expect(lost.status == 503 && lost.headers["retry-after"] != nil)
        deployment.google.queue(.answer(500))
        let web = [("X-Client-Version", "Chrome/JsCore/12.0.0/FirebaseCore-web")]
        let plain = try deployment.server.refresh(token, headers: web)
        #expect(plain.status == 503 && !plain.text.contains("{"), "a web client would sign the user out")
        #expect(try deployment.server.refresh(token)["user_id"] == "ann")
    }

    @Test("accounts that are missing, disabled or revoked are refused as Firebase would refuse them")
    func accounts() async throws {
        let deployment = try await FirebaseDeployment()
        let server = deployment.server
        for (index, uid) in ["disabled", "revoked"].enumerated() {
            try deployment.importUser(uid, "+1650555018\(index)")
        }
        #expect(try server.administer("update", #"{"localId":"disabled","disableUser":true}"#).status == 200)
        let now = Environment.system.now().seconds
        #expect(try server.administer("update", #"{"localId":"revoked","validSince":"\#(now)"}"#).status == 200)
        let expected = [("missing", "USER_NOT_FOUND"), ("disabled", "USER_DISABLED"), ("revoked", "TOKEN_EXPIRED")]
        for (uid, word) in expected {
            #expect(try server.refresh(deployment.signInAtFirebase(uid)).errorMessage == word)
        }
        // Firebase accepts the password and the number that the user has replaced here.
        let later = deployment.signInAtFirebase("revoked", secondsAgo: 0)
        #expect(try server.refresh(later).errorMessage == "TOKEN_EXPIRED")
        let factor = #"{"mfaEnrollmentId":"f","enrolledAt":"2026-01-01T00:00:00Z","phoneInfo":"+16505550183"}"#
        let secured = #","email":"two@example.com","emailVerified":true,"mfaInfo":[\#(factor)]"#
        try deployment.importUser("two", "+16505550182", fields: secured)
        #expect(try server.refresh(deployment.signInAtFirebase("two")).errorMessage == "TOKEN_EXPIRED")
        let proven = deployment.signInAtFirebase("two") { claims in
            claims[path: ["firebase", "sign_in_second_factor"]] = .string("phone")
            claims[path: ["firebase", "second_factor_identifier"]] = .string("f")
        }
        let moved = try server.refresh(proven)
        #expect(moved["user_id"] == "two")
        // A session that has ended does not begin again.
        let idToken = try #require(moved["id_token"])
        let id = try idTokenClaims(idToken).object("firebase").text("session_id")
        let ending = #"{"idToken":"\#(idToken)","sessionId":"\#(id)"}"#
        #expect(try server.post("/v2/accounts/sessions:end", ending).status == 200)
        #expect(try server.refresh(proven).errorMessage == "TOKEN_EXPIRED")
        for word in ["INVALID_REFRESH_TOKEN", "TOKEN_EXPIRED", "USER_DISABLED", "USER_NOT_FOUND"] {
            deployment.google.queue(.answer(400, #"{"error":{"code":400,"message":"\#(word)"}}"#))
            #expect(try server.refresh(deployment.signInAtFirebase("revoked")).errorMessage == word)
        }
    }

    @Test("Google never receives a token in Dialtone's form, nor any token while the takeover is off or has ended")
    func notAsked() async throws {
        let deployment = try await FirebaseDeployment()
        let own = try #require(try deployment.server.signInFresh("+16505550172")["refreshToken"])
        let other = Base64URL.string([1, 0, 0] + [UInt8](repeating: 7, count: 48))
        #expect(try deployment.server.refresh(own).status == 200)
        #expect(try deployment.server.refresh(other).errorMessage == "TOKEN_EXPIRED")
        #expect(try deployment.server.refresh("short").errorMessage == "INVALID_REFRESH_TOKEN")
        #expect(deployment.google.requests.isEmpty)

        let ended = try await FirebaseDeployment(
            settings: ["PROJECT_DEMO_DIALTONE_FIREBASE_SESSIONS_UNTIL": "2026-01-01"]
        )
        #expect(try ended.server.refresh(ended.signInAtFirebase("ann")).errorMessage == "TOKEN_EXPIRED")
        let off = try await FirebaseDeployment(isOn: false)
        #expect(try off.server.refresh(off.signInAtFirebase("ann")).errorMessage == "INVALID_REFRESH_TOKEN")
        #expect(ended.google.requests.isEmpty && off.google.requests.isEmpty)
    }

    @Test("a network that floods exchanges is limited before Google is asked, and keeps its users; others are not")
    func limit() async throws {
        let deployment = try await FirebaseDeployment(settings: ["SENDS_PER_NETWORK_PER_HOUR": "30"])
        let server = deployment.server
        try deployment.importUser("ann", "+16505550170")
        for _ in 0..<10 {
            let answer = try server.refresh(deployment.signInAtFirebase("no-one"))
            #expect(answer.errorMessage == "USER_NOT_FOUND")
        }
        let token = deployment.signInAtFirebase("ann")
        let limited = try server.refresh(token)
        #expect(limited.status == 503 && (limited.headers["retry-after"].flatMap { Int($0) } ?? 0) > 1)
        #expect(deployment.exchanges == 10)
        let fields = "grant_type=refresh_token&refresh_token=\(token)"
        let elsewhere = try HTTPClient(port: server.port, sourceAddress: "127.0.0.9").request(
            "POST",
            "/v1/token?key=\(RunningServer.apiKey)",
            headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(fields.utf8)
        )
        #expect(elsewhere["user_id"] == "ann", "\(elsewhere.text)")
    }

    @Test("a page whose SDK has a Firebase session sends its next refresh to Dialtone, and its user stays signed in")
    func page() async throws {
        let deployment = try await FirebaseDeployment()
        try deployment.importUser("ann", "+16505550170")
        let token = deployment.signInAtFirebase("ann")
        let expired = JSONWriter.object { json in
            json.member("sub", "ann")
            json.member("exp", Int64(1_700_000_000))
        }
        let kept = #"{"idToken":"e30.\#(Base64URL.string(expired)).AA","refreshToken":"\#(token)"}"#
        let host = "127.0.0.1:\(deployment.server.port)"
        let script = """
            (async () => {
              localStorage.setItem('firebase-stand-in', '\(kept)');
              const { initializeAuth } = await import('http://\(host)/firebase-auth.js');
              const auth = initializeAuth({ options: { apiKey: '\(RunningServer.apiKey)' } });
              Object.assign(auth.config, { apiScheme: 'http', apiHost: '\(host)', tokenApiHost: '\(host)' });
              await auth.ready;
              const moved = await auth.currentUser.getIdToken(true);
              const { refreshToken } = JSON.parse(localStorage.getItem('firebase-stand-in'));
              return [auth.currentUser.uid, auth.currentUser.phoneNumber, refreshToken !== '\(token)', !!moved];
            })()
            """
        let url = "http://\(host)/__/auth/sign-in?apiKey=\(RunningServer.apiKey)"
        var visit = Visit(url: url, linkScheme: "", steps: [.evaluate(script)])
        visit.ignoresPolicy = true
        let module = "\(RunningServer.packageFolder)/Tests/IntegrationTests/Support/firebase-auth.js"
        visit.respond = ["http://\(host)/firebase-auth.js": readFile(module)]
        let browser = try #require(SharedBrowser.current)
        let page = try browser.visit(visit)
        #expect(page.values == [.array([.string("ann"), .string("+16505550170"), .bool(true), .bool(true)])])
        #expect(deployment.exchanges == 1)
    }
}

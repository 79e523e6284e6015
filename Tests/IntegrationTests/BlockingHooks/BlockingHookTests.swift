import Encodings
import GatewayStandIn
import Glibc
import Processes
import Synchronization
import TestServers
import Testing

/// Hooks over TLS, through the whole server.
@Suite(.timeLimit(.minutes(30))) struct BlockingHookTests {
    @Test("both hooks are called for a new user, and their changes reach the app")
    func allowed() async throws {
        let deployment = try await HookDeployment.start()
        deployment.hooks.queue(
            .changing("displayName,customClaims", #""displayName":"Ada","customClaims":{"plan":"trial"}"#),
            .changing("sessionClaims,photoURL", #""sessionClaims":{"device":"one"},"photoURL":"https://a.example/p""#)
        )
        let signedIn = try deployment.signIn(
            "+16505550191",
            headers: [("User-Agent", "App/1.0"), ("X-Firebase-Locale", "de")]
        )
        #expect(signedIn.status == 200 && signedIn.json["isNewUser"] == .bool(true))
        let uid = try #require(signedIn["localId"])
        let events = deployment.events
        #expect(events.map { $0.text("event_type") } == ["beforeCreate", "beforeSignIn"])
        #expect(events.map { $0.text("sub") } == [uid, uid])
        for event in events {
            #expect(event.text("user_agent") == "App/1.0" && event.text("locale") == "de")
            #expect(event.text("ip_address") == "127.0.0.1")
        }
        #expect(deployment.hooks.requests.map(\.path) == ["/create?token=hidden-token", "/sign_in?token=hidden-token"])
        let refreshed = try deployment.server.refresh(try #require(signedIn["refreshToken"]))
        for token in [signedIn["idToken"], refreshed["id_token"]] {
            let claims = try idTokenClaims(try #require(token))
            #expect(claims.text("name") == "Ada" && claims.text("picture") == "https://a.example/p")
            #expect(claims.text("plan") == "trial" && claims.text("device") == "one")
        }
        let again = try deployment.signIn("+16505550191")
        #expect(again["localId"] == uid && again.json["isNewUser"] == .bool(false))
        let claims = try idTokenClaims(try #require(again["idToken"]))
        #expect(claims.text("plan") == "trial" && claims.text("device") == "")
        #expect(deployment.events.count == 3)
    }

    @Test("a denial reaches the app with its message, and the log contains neither the message nor the URL")
    func denied() async throws {
        let deployment = try await HookDeployment.start()
        let body =
            #"{"error":{"status":"PERMISSION_DENIED","message":"Ask +16505550192 for an invitation."},"stack":"x"}"#
        deployment.hooks.queue(.answer(403, body))
        let answer = try deployment.answer("+16505550192")
        let refused = try deployment.server.signIn(answer.session, answer.code)
        #expect(refused.status == 400)
        try expectEnvelope(refused, status: "INVALID_ARGUMENT")
        let explanation = #"{"error":{"message":"Ask +16505550192 for an invitation.","status":"PERMISSION_DENIED"}}"#
        #expect(
            refused.errorMessage
                == "BLOCKING_FUNCTION_ERROR_RESPONSE : ((HTTP request to \(deployment.hooks.url) returned HTTP error 403: "
                + explanation + "))"
        )
        #expect(deployment.accounts().isEmpty)
        #expect(deployment.server.redis.cli("KEYS", "dt:{*}:phone:*") == "")
        #expect(try deployment.server.signIn(answer.session, answer.code).errorMessage == "SESSION_EXPIRED")
        let log = deployment.server.log
        #expect(log.contains(#""reason":"BLOCKING_FUNCTION_ERROR_RESPONSE""#))
        #expect(log.contains("beforeCreate: \(deployment.hooks.url) denied the operation with HTTP status 403"))
        let reference = try #require(refused.headers["dialtone-reference"])
        let explained = try deployment.server.dialtone("explain", reference).output
        #expect(explained.contains("BLOCKING_FUNCTION_ERROR_RESPONSE"))
        for text in [log, explained] {
            for secret in ["invitation", "6505550192", "hidden-token"] { #expect(!text.contains(secret), "\(secret)") }
        }
        #expect(try deployment.signIn("+16505550192").status == 200)
    }

    @Test("linking an e-mail address calls the hook, and a denial links nothing", arguments: ["update", "signUp"])
    func link(path: String) async throws {
        let deployment = try await HookDeployment.start()
        let server = deployment.server
        let user = try deployment.signIn("+16505550190")
        let body =
            #"{"idToken":"\#(try #require(user["idToken"]))","email":"ada@example.com","password":"correct horse"}"#
        let before = try server.account(try #require(user["localId"]))
        deployment.hooks.queue(.answer(403, #"{"error":{"message":"No."}}"#), .cutAtEnd)
        let denied = try server.post("/v1/accounts:\(path)", body)
        #expect(denied.status == 400 && denied.errorCode == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        let failed = try server.post("/v1/accounts:\(path)", body)
        #expect(failed.status == 500 && failed.errorCode == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(try server.account(try #require(user["localId"])) == before)
        #expect(server.redis.cli("KEYS", "dt:*:email:*") == "")
        let linked = try server.post("/v1/accounts:\(path)", body)
        #expect(linked.status == 200 && linked["email"] == "ada@example.com")
        #expect(deployment.events.map { $0.text("event_type") }.suffix(3) == Array(repeating: "beforeSignIn", count: 3))
        #expect(deployment.events.last?.object("user_record").text("email") == "ada@example.com")
    }

    @Test("if a hook returns no valid response, no one signs in")
    func faults() async throws {
        let deployment = try await HookDeployment.start(events: ["SIGN_IN"])
        let hook = deployment.hooks.url
        let cases: [(Reply, Int, String)] = [
            (.answer(200, "<html>"), 500, "Response body is not valid JSON."),
            (.answer(200, String(repeating: " ", count: 20_000) + "{}"), 500, "Response body is not valid JSON."),
            (.answer(200, #"{"userRecord":{"displayName":"Ada"}}"#), 500, "Response UserRecord is missing updateMask."),
            (.changing("uid", #""uid":"x""#), 500, "Response updateMask has a field that cannot be changed."),
            (.changing("customClaims", #""customClaims":{"sub":"x"}"#), 500, "Response has a reserved claim."),
            (
                .answer(302, "", [("Location", hook + "/elsewhere")]), 400,
                "HTTP request to \(hook) returned HTTP error 302"
            ),
            (.answer(500, "<h1>inside</h1>"), 400, "HTTP request to \(hook) returned HTTP error 500"),
            (.cutAtEnd, 500, "Failed to make request to \(hook)."),
        ]
        for (index, (reply, status, words)) in cases.enumerated() {
            deployment.hooks.queue(reply)
            let refused = try deployment.signIn(fictionalNumber(index))
            #expect(refused.status == status)
            #expect(refused.errorMessage == "BLOCKING_FUNCTION_ERROR_RESPONSE : ((\(words)))")
        }
        #expect(deployment.accounts().isEmpty)
        #expect(deployment.hooks.requests.count == cases.count)
    }

    @Test("a hanging hook delays only its own project, by 7 seconds")
    func hangs() async throws {
        let deployment = try await HookDeployment.start(
            events: ["SIGN_IN"],
            settings: ["THREADS": "4", "ACTIVE_THREADS": "1"]
        )
        let server = deployment.server
        deployment.hooks.queue(.silence)
        let first = try deployment.answer("+16505550193")
        let second = try deployment.answer("+16505550194")
        let hasTimedOut = Atomic(false)
        let results = try inParallel(2) { racer -> (HTTPAnswer, Duration) in
            let start = ContinuousClock.now
            if racer == 0 {
                defer { hasTimedOut.store(true, ordering: .sequentiallyConsistent) }
                return (try server.signIn(first.session, first.code), ContinuousClock.now - start)
            }
            #expect(eventually { !deployment.hooks.requests.isEmpty })
            let busy = try server.signIn(second.session, second.code)
            for index in 95..<99 { #expect(try server.sendVerificationCode("+165055501\(index)").status == 200) }
            let isOver = hasTimedOut.load(ordering: .sequentiallyConsistent)
            #expect(!isOver, "none of them waited for the hook")
            return (busy, .zero)
        }
        #expect(results[0].0.status == 500)
        let words = "Deadline exceeded making request to \(deployment.hooks.url)."
        #expect(results[0].0.errorMessage == "BLOCKING_FUNCTION_ERROR_RESPONSE : ((\(words)))")
        #expect(results[0].1 >= .seconds(6))
        #expect(results[1].0.status == 503 && results[1].0.headers["retry-after"] == "1")
        // Nothing was lost: the code is still valid, and the account has been created.
        #expect(try server.signIn(second.session, second.code).status == 200)
        #expect(deployment.accounts().count == 1)
    }

    @Test(
        "if a worker dies during a hook call, the next request creates the account under the same uid"
    )
    func workerDies() async throws {
        let deployment = try await HookDeployment.start(events: ["CREATE"])
        let server = deployment.server
        deployment.hooks.queue(.silence)
        let answer = try deployment.answer("+16505550195")
        let results = try inParallel(2) { racer -> HTTPAnswer? in
            if racer == 0 { return try server.signIn(answer.session, answer.code) }
            #expect(eventually { !deployment.hooks.requests.isEmpty })
            let worker = server.runningWorkers.first
            try server.startWorker()
            worker?.stop(SIGKILL)
            return nil
        }
        let signedIn = try #require(results[0])
        #expect(signedIn.status == 200 && signedIn.json["isNewUser"] == .bool(true))
        let uid = try #require(signedIn["localId"])
        #expect(deployment.events.map { $0.text("sub") } == [uid, uid])
        #expect(deployment.accounts() == [uid])
    }

    @Test("hooks are called for a password sign-up, and disabling the account is reported to the app")
    func passwords() async throws {
        let deployment = try await HookDeployment.start()
        let fields = #"{"email":"ada@example.com","password":"correct horse","returnSecureToken":true}"#
        let signedUp = try deployment.server.post("/v1/accounts:signUp", fields)
        #expect(signedUp.status == 200)
        #expect(deployment.events.map { $0.text("sign_in_method") } == ["password", "password"])
        deployment.hooks.queue(.changing("disabled", #""disabled":true"#))
        let signedIn = try deployment.server.post("/v1/accounts:signInWithPassword", fields)
        #expect(signedIn.status == 400 && signedIn.errorMessage == "USER_DISABLED")
        let idToken = try #require(signedUp["idToken"])
        #expect(try deployment.server.lookUp(idToken).errorMessage == "USER_DISABLED")
    }
}

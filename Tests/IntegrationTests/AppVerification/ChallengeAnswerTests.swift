import Testing

/// The responses of the challenge's endpoints, byte for byte.
@Suite(
    .sharedServer {
        let app = "PROJECT_DEMO_DIALTONE_APP_IOS_"
        return try RunningServer(
            .production,
            workers: 1,
            settings: [
                "PROJECT_DEMO_DIALTONE_APPS": "ios", app + "BUNDLE_ID": PushDeployment.bundleID,
                app + "APP_ID": "1:123:ios:abc", app + "CLIENT_ID": "123-abc.apps.googleusercontent.com",
            ]
        )
    }
)
struct ChallengeAnswerTests {
    let server: RunningServer

    init() throws { server = try #require(SharedServer.current) }

    @Test(
        "an invalid request gets an error page without a redirect or a callback to an unregistered app",
        arguments: [
            (ChallengedApp(apiKey: "unknown").query, "unknown-app", false),
            (ChallengedApp(bundleID: "com.example.stranger").query, "bundle-id-mismatch", true),
            (
                "apiKey=demo-key&authType=verifyApp&ibi=com.example.app&clientId=evil&eventId=E",
                "scheme-not-registered", false
            ),
            ("apiKey=demo-key&authType=signInViaPopup&ibi=com.example.app", "unsupported-auth-type", false),
            (ChallengedApp(eventID: "%22%3E%3Cscript%3E").query, "malformed-request", false), ("", "", false),
            ("apiKey=%ff", "malformed-request", false),
        ]
    )
    func refusal(query: String, code: String, isCalledBack: Bool) throws {
        let answer = try server.get("/__/auth/handler?\(query)")
        let html = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 400)
        #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
        #expect(html.contains(code))
        #expect(html.contains("://firebaseauth/link") == isCalledBack)
        #expect(!html.contains("evil") && !html.contains("<script>"))
        #expect(answer.headers["location"] == nil)
    }

    @Test("the page cannot be framed or cached, sends no referrer, and has a content security policy")
    func headers() throws {
        let answers = try (1...2).map { _ in try server.get("/__/auth/handler?\(ChallengedApp().query)") }
        for answer in answers {
            #expect(answer.status == 200)
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["referrer-policy"] == "no-referrer")
            let policy = try #require(answer.headers["content-security-policy"])
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        }
        // Each response has a different nonce.
        #expect(answers[0].headers["content-security-policy"] != answers[1].headers["content-security-policy"])
    }

    @Test("cross-origin requests from browsers are allowed, and errors have the protocol's envelope")
    func scriptCalls() throws {
        let client = HTTPClient(port: server.port)
        for path in ["challenge", "verify"] {
            let preflight = try client.request(
                "OPTIONS",
                "/__/auth/\(path)?apiKey=demo-key",
                headers: [
                    ("Origin", "https://app.example.com"), ("Access-Control-Request-Method", "POST"),
                    ("Access-Control-Request-Headers", "content-type"),
                ]
            )
            #expect(preflight.status == 204)
            #expect(preflight.headers["access-control-allow-origin"] == "*")
            #expect(preflight.headers["access-control-allow-headers"]?.contains("content-type") == true)
            let unknown = try client.request("POST", "/__/auth/\(path)?apiKey=unknown")
            #expect(unknown.status == 400)
            #expect(unknown.errorMessage == "API key not valid. Please pass a valid API key.")
            #expect(try client.request("GET", "/__/auth/\(path)?apiKey=demo-key").status == 405)
        }
        let broken = try client.request(
            "POST",
            "/__/auth/verify?apiKey=demo-key",
            headers: [("Content-Type", "application/json")],
            body: Array("{".utf8)
        )
        #expect(broken.status == 400)
        #expect(broken.errorMessage?.hasPrefix("INVALID_ARGUMENT") == true)
    }
}

import Encodings
import Glibc
import Processes
import TestBrowser
import TestServers
import Testing

/// The example: a single-page app with the component and the SDK's `Auth`, and an API behind `auth_request`. A mock
/// replaces the SDK, because tests cannot download the SDK.
@Suite(.sharedBrowser, .timeLimit(.minutes(20))) struct ExampleAppTests: SignInSteps {
    private static let kept = "localStorage.getItem('firebase-stand-in')"
    private static let hasUser = Visit.Step.wait("!find('#signed-in').hidden && find('#api-user').textContent")
    private static let writeNote: [Visit.Step] = [
        .evaluate("find('#note').focus()"), .type(#"<img src=x onerror="window.isHacked=1">"#), .press("Enter"),
    ]

    private static func says(_ text: String) -> Visit.Step { .wait("find('#state').textContent === '\(text)'") }

    private static func signIn(as number: String, to example: ExampleApp) -> [Visit.Step] {
        send(to: number) + [paste(code(to: number, from: example.authServer), into: "#code"), hasUser]
    }

    @Test("a user signs in, writes, returns, gets a new token and signs out, and the API then refuses the tokens")
    func wholePath() throws {
        let example = try ExampleApp()
        let number = "+16505551601"
        let writes: [Visit.Step] =
            Self.writeNote + [
                .wait("find('#notes').children.length === 1"), .evaluate("find('#notes').textContent"),
                .evaluate("typeof window.isHacked + document.images.length"),
            ]
        let signsOut: [Visit.Step] = [
            .click("#sign-out"), Self.shows("number"), Self.says("You are signed out."),
            .wait("find('#signed-in').hidden && !find('#notes').children.length"), Self.hasFocus("#number"), .axe,
            .evaluate(Self.kept),
        ]
        let signsIn: [Visit.Step] =
            [Self.shows("number"), .axe] + Self.signIn(as: number, to: example) + [
                .wait("find('#token-end').textContent && document.activeElement === find('#who')"), .axe,
                .evaluate("find('#who').textContent"), .evaluate("find('#api-user').textContent"),
            ]
        let comesBack: [Visit.Step] = [
            .reload, .wait("find('#notes')?.children.length === 1"), .evaluate("JSON.parse(\(Self.kept)).idToken"),
            .click("#refresh"), Self.says("The token is new."), .evaluate("JSON.parse(\(Self.kept)).idToken"),
        ]
        let page = try example.visit(browser, signsIn + writes + comesBack + signsOut)
        let values = page.values.filter { $0 != .null }
        guard values.count == 6, case .string(let uid) = values[1], case .string(let first) = values[4],
            case .string(let second) = values[5]
        else { throw ServerFailure(description: "\(page.values)") }
        #expect(values[0] == .string(number) && values[2] == .string(#"<img src=x onerror="window.isHacked=1">"#))
        #expect(values[3] == .string("undefined0"), "the note stayed text (XSS)")
        #expect(try idTokenClaims(first).text("sub") == uid, "the API knows the user by nginx's header")
        for token in [first, second] {
            let answer = try example.request("/api/notes", headers: [("Authorization", "Bearer \(token)")])
            #expect(answer.status == 401 && answer.headers["www-authenticate"]?.contains("revoked") == true)
        }
        #expect(page.faults == [])
        #expect(!page.requests.contains { $0.contains("eyJ") }, "no URL has a token")
        #expect(eventually { (try? files(of: example, with: "POST /api/notes"))?.isEmpty == false })
        #expect(try files(of: example, with: "eyJ") == "", "no log has a token")
    }

    /// Returns the files of the example's processes that contain a text.
    private func files(of example: ExampleApp, with text: String) throws -> String {
        try FinishedProcess.run("grep", ["-rlsF", text, example.folder.path]).output
    }

    @Test("a user whose session was ended must sign in again at the next call")
    func endedSession() throws {
        let example = try ExampleApp()
        let ends = """
            (async () => {
              const idToken = JSON.parse(\(Self.kept)).idToken;
              const claims = JSON.parse(atob(idToken.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')));
              const body = JSON.stringify({ idToken, sessionId: claims.firebase.session_id });
              const headers = { 'Content-Type': 'application/json' };
              const url = '\(example.authServer)/v2/accounts/sessions:end?key=example';
              return (await fetch(url, { method: 'POST', headers, body })).status;
            })()
            """
        let signsIn = Self.signIn(as: "+16505551602", to: example)
        let isAsked: [Visit.Step] = [
            Self.shows("number"), Self.says("Your session has ended. Sign in again."),
            .wait("find('#signed-in').hidden && \(Self.kept) === null"),
        ]
        let page = try example.visit(browser, signsIn + [.evaluate(ends)] + Self.writeNote + isAsked + signsIn)
        #expect(page.values.contains(.number("200")))
        #expect(page.faults == [])
    }

    @Test("the API refuses requests without an ID token, and ignores clients' headers about the user")
    func refuses() throws {
        let example = try ExampleApp()
        let user = try example.post("/v1/accounts:signUp", #"{"returnSecureToken":true}"#)
        let idToken = try #require(user["idToken"])
        let bearer = ("Authorization", "Bearer \(idToken)")
        let cookie = try #require(
            example.post(
                "/v1/projects/demo-dialtone:createSessionCookie",
                #"{"idToken":"\#(idToken)","validDuration":"3600"}"#,
                headers: [("Authorization", "Bearer owner")]
            )["sessionCookie"]
        )
        // A browser would send the cookie with a form of another site (CSRF).
        let refused: [[(String, String)]] = [
            [], [("X-Auth-User", "admin")], [("Cookie", "__session=\(cookie)")],
            [("Authorization", "Basic YTpi"), ("Cookie", "__session=\(cookie)")], [("Authorization", "Bearer x")],
            [("Authorization", "Bearer \(idToken)x")],
        ]
        for headers in refused {
            for method in ["GET", "POST"] {
                let answer = try example.request("/api/notes", method: method, headers: headers, body: "text=CSRF")
                #expect(answer.status == 401, "\(headers)")
                #expect(answer.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
                #expect(answer.headers["cache-control"] == "no-store")
            }
        }
        let answer = try example.request("/api/notes", headers: [bearer, ("X-Auth-User", "admin")])
        #expect(answer.status == 200 && answer["user"] == user["localId"])
        #expect(answer.headers["cache-control"] == "no-store")
        #expect(answer.headers["access-control-allow-origin"] == nil, "other sites cannot read it")
        #expect(try example.request("/.dialtone-auth", headers: [bearer]).status == 404)
    }

    @Test("malformed notes are refused, and the API continues")
    func malformed() throws {
        let example = try ExampleApp()
        let idToken = try #require(example.post("/v1/accounts:signUp", #"{"returnSecureToken":true}"#)["idToken"])
        let headers = [("Authorization", "bearer \(idToken)")]
        let cases = [
            (#"{"text":"fine"}"#, 201), (#"{"text":"\ud800"}"#, 400), ("", 400), ("{", 400), ("[]", 400),
            (#"{"text":1}"#, 400), (#"{"text":"  "}"#, 400), (#"{"text":null}"#, 400),
            (#"{"text":"\#(String(repeating: "a", count: 281))"}"#, 400), (String(repeating: "[", count: 4_000), 400),
            (String(repeating: " ", count: 5_000), 413),
        ]
        for (body, status) in cases {
            let answer = try example.request("/api/notes", method: "POST", headers: headers, body: body)
            #expect(answer.status == status, "\(body.prefix(20))")
        }
        let answer = try example.request("/api/notes", headers: headers)
        #expect(answer.json["notes"] == .array([.string("fine")]), "\(answer.text)")
        #expect(try example.request("/api/other", headers: headers).status == 404)
    }

    @Test("only the app's own files are served, only under its own host name, and with a content security policy")
    func files() throws {
        let example = try ExampleApp()
        for path in ["/api.py", "/run", "/nginx.conf", "/web/app.js", "/.git", "/%2e%2e/api.py"] {
            #expect([400, 404].contains(try example.request(path).status), "\(path)")
        }
        let page = try example.request("/")
        let policy = page.headers["content-security-policy"]
        #expect(policy?.contains("script-src 'self' \(example.authServer) https://www.gstatic.com/") == true)
        #expect(page.headers["cache-control"] == "no-cache")
        // Another host name would be another origin, where no one is signed in.
        for host in ["localhost", "dialtone.test", "evil.example:\(example.port)"] {
            for path in ["/", "/api/notes", "//evil.example/"] {
                let answer = try example.request(path, host: host)
                #expect(answer.status == 307 && answer.headers["location"] == "http://127.0.0.1:\(example.port)/")
            }
        }
    }

    @Test("if the SDK or the sign-in server cannot be reached, the app says so")
    func unreachable() throws {
        let example = try ExampleApp()
        let missing = Visit.Step.wait("find('#state').textContent.includes('/firebase-a')")
        let steps: [Visit.Step] = [missing, .evaluate("find('#state').textContent"), .axe]
        let page = try example.visit(browser, hasSDK: false, steps)
        guard case .string(let text)? = page.values.first else { throw ServerFailure(description: "no text") }
        #expect(text.contains("cannot be loaded"))
    }

    @Test("the example ends with its server, leaves nothing behind, and reports a port in use in one line")
    func ends() throws {
        let example = try ExampleApp()
        let folder = try TemporaryFolder()
        let second = try ExampleApp.start(folder, port: example.port, authPort: FreePort.next())
        #expect(second.waitForExit(atMost: .seconds(60)) == .exited(1))
        let message = "example: port \(example.port) is in use by another program (--port, --auth-port)\n"
        #expect(folder.read("errors") == message)
        #expect(try ExampleApp.leftovers(folder) == [])

        #expect(eventually { example.folder.read("output").contains("app is at http://127.0.0.1:\(example.port)/\n") })
        // `stop` would kill the API, which removes its folder only after the development server has ended.
        example.process.send(SIGTERM)
        #expect(example.process.waitForExit(atMost: .seconds(60)) == .exited(0))
        _ = eventually { (try? ExampleApp.leftovers(example.folder)) == [] }
        // If the expectation contained `try`, a failure would not show the names.
        let leftovers = try ExampleApp.leftovers(example.folder)
        #expect(leftovers == [])
        #expect(!example.folder.read("errors").contains("Traceback"))
    }
}

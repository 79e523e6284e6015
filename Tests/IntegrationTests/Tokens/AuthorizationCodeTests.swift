import Encodings
import TestServers
import Testing

/// The handover by a redirect, over HTTP: the page's responses to apps, and the exchange of codes (RFC 6749 § 4.1,
/// 7636, 9207).
@Suite(.sharedServer, .timeLimit(.minutes(10))) struct AuthorizationCodeTests {
    let server: RunningServer
    let app: AuthorizingApp

    init() throws {
        server = try #require(SharedServer.current)
        app = AuthorizingApp(server: server)
    }

    private func idToken() throws -> String {
        try #require(try server.signInFresh(SecondFactorUser.freshNumber())["idToken"])
    }

    private func isRefused(_ answer: HTTPAnswer, _ error: String = "invalid_grant") -> Bool {
        answer.status == 400 && answer["error"] == error && answer["error_description"] != nil
            && answer.headers["dialtone-reference"] != nil && answer.headers["cache-control"] == "no-store"
            && answer.headers["access-control-allow-origin"] == "*"
    }

    // MARK: The exchange

    @Test("a code is exchanged for tokens in an OAuth response, which are accepted everywhere")
    func exchange() throws {
        let idToken = try idToken()
        let response = try app.response(idToken)
        #expect(response.fields.map(\.name) == ["code", "state", "iss"])
        #expect(response["state"] == "xyz" && response["iss"] == "https://securetoken.google.com/demo-dialtone")
        let answer = try app.exchange(try #require(response["code"]))
        #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
        #expect(answer.headers["access-control-allow-origin"] == "*")
        #expect(answer["token_type"] == "Bearer" && answer.json["expires_in"] == .number("3600"))
        #expect(answer["access_token"] == answer["id_token"])
        let refreshToken = try #require(answer["refresh_token"])
        #expect(try server.lookUp(try #require(answer["id_token"])).status == 200)
        #expect(try server.refresh(refreshToken)["user_id"] == answer["user_id"])
    }

    @Test("a missing state stays missing, and any other state is returned unchanged")
    func states() throws {
        let idToken = try idToken()
        #expect(try app.response(idToken, state: nil).fields.map(\.name) == ["code", "iss"])
        let state = "a b&c=d#e%20?/+~"
        #expect(try app.response(idToken, state: state)["state"] == state)
    }

    @Test("an OAuth client can be identified in a form or in JSON")
    func clientID() throws {
        let key = "&client_id=\(RunningServer.apiKey)"
        #expect(try app.exchange(app.code(idToken()), more: key, target: "/v1/token").status == 200)
        #expect(try app.exchange(app.code(idToken()), more: key).status == 200)
        let body = """
            {"grant_type":"authorization_code","code":"\(try app.code(idToken()))","redirect_uri":"\(app.redirectURI)",\
            "code_verifier":"\(AuthorizingApp.verifier)"}
            """
        #expect(try server.post("/v1/token", body).status == 200)
        #expect(try app.exchange("x", target: "/v1/token").status == 403)
    }

    @Test("browsers can exchange a code from another origin")
    func preflight() throws {
        let answer = try HTTPClient(port: server.port).request(
            "OPTIONS",
            "/v1/token",
            headers: [("Origin", "http://localhost:5173"), ("Access-Control-Request-Method", "POST")]
        )
        // In development mode the response repeats the origin.
        #expect(answer.status == 204 && answer.headers["access-control-allow-origin"] == "http://localhost:5173")
    }

    @Test("a request with a missing or repeated parameter is refused and uses nothing up")
    func malformed() throws {
        let code = try app.code(idToken())
        for (verifier, redirectURI) in [
            ("", nil), ("short", nil), (AuthorizingApp.verifier + "/", nil), (String(repeating: "a", count: 129), nil),
            (AuthorizingApp.verifier, ""),
        ] {
            #expect(isRefused(try app.exchange(code, verifier: verifier, redirectURI: redirectURI), "invalid_request"))
        }
        #expect(isRefused(try app.exchange(""), "invalid_request"))
        #expect(isRefused(try app.exchange(code, more: "&client_id=another-key"), "invalid_request"))
        for repeated in ["grant_type=x", "code=x", "code_verifier=x", "redirect_uri=x", "client_id=a&client_id=a"] {
            let answer = try app.exchange(code, more: "&\(repeated)")
            #expect(answer.status == 400 && answer["error"] == "invalid_request", "\(repeated)")
        }
        // Another code, because those requests may take longer than a code's lifetime.
        let other = try app.code(idToken())
        #expect(isRefused(try app.exchange(other, redirectURI: ""), "invalid_request"))
        #expect(try app.exchange(other).status == 200)
    }

    @Test("a wrong secret, redirect URI or API key is refused and ends the session")
    func wrong() throws {
        let attempts: [(String) throws -> HTTPAnswer] = [
            { try app.exchange($0, verifier: AuthorizingApp.verifier + "x") },
            // The challenge is in the page's URL, so it must not be accepted as the verifier.
            { try app.exchange($0, verifier: AuthorizingApp.challenge) },
            { try app.exchange($0, redirectURI: "http://127.0.0.1:5174/signed-in") },
            { try AuthorizingApp(server: server, apiKey: "another-key").exchange($0) },
        ]
        for attempt in attempts {
            let idToken = try idToken()
            let code = try app.code(idToken)
            #expect(isRefused(try attempt(code)))
            #expect(isRefused(try app.exchange(code)))
            #expect(try server.lookUp(idToken).errorCode == "TOKEN_EXPIRED")
        }
    }

    @Test("an expired code is refused")
    func expired() throws {
        let idToken = try idToken()
        let code = try app.code(idToken)
        let pattern = "*:authorization-code:*:\(try #require(try sessionID(idToken)))"
        let key = server.redis.cli("KEYS", pattern).split(whereSeparator: \.isNewline).joined()
        server.redis.cli("PEXPIRE", key, "1")
        #expect(eventually { server.redis.cli("EXISTS", key) == "0" })
        #expect(isRefused(try app.exchange(code)))
    }

    private func sessionID(_ idToken: String) throws -> String? {
        let parts = idToken.split(separator: ".")
        guard case .object(let claims) = try JSONValue.parse(try #require(Base64URL.decode(parts[1].utf8))),
            case .object(let firebase) = claims["firebase"]
        else { return nil }
        return firebase.text("session_id")
    }

    @Test("of 20 racing exchanges of a code, one succeeds and the others end its session")
    func racing() throws {
        let code = try app.code(idToken())
        let answers = try inParallel(20) { [app] _ in try app.exchange(code) }
        #expect(answers.count { $0.status == 200 } == 1)
        #expect(answers.count { isRefused($0) } == 19)
        let tokens = try #require(answers.first { $0.status == 200 })
        #expect(try server.refresh(try #require(tokens["refresh_token"])).errorCode == "TOKEN_EXPIRED")
        #expect(try server.lookUp(try #require(tokens["id_token"])).errorCode == "TOKEN_EXPIRED")
    }

    @Test("a code of one project is unknown in another, and stays valid in its own")
    func otherProject() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: [
                "PROJECT_DEMO_DIALTONE_REDIRECT_URIS": "https://app.example.com/cb",
                "PROJECT_DEMO_DIALTONE_ANONYMOUS_SIGN_IN": "enabled",
            ]
        )
        let idToken = try #require(try server.post("/v1/accounts:signUp", "{}")["idToken"])
        let app = AuthorizingApp(server: server, redirectURI: "https://app.example.com/cb")
        let code = try app.code(idToken)
        let other = AuthorizingApp(server: server, redirectURI: app.redirectURI, apiKey: "other-key")
        #expect(isRefused(try other.exchange(code)))
        #expect(try app.exchange(code).status == 200)
        // In production mode, loopback addresses must be registered like any other.
        #expect(try AuthorizingApp(server: server).issue(idToken).errorCode == "INVALID_ARGUMENT")
    }

    // MARK: The page

    private func page(_ query: String, on other: RunningServer? = nil) throws -> HTTPAnswer {
        try HTTPClient(port: (other ?? server).port).request("GET", "/__/auth/sign-in?\(query)")
    }

    private static let query =
        "client_id=demo-key&response_type=code&state=xyz&redirect_uri=http%3A%2F%2F127.0.0.1%3A5173%2Fcb"

    @Test("the page cannot be framed, sends no referrer and is not stored")
    func headers() throws {
        let proof = "&code_challenge=\(AuthorizingApp.challenge)&code_challenge_method=S256"
        for (query, status) in [
            (Self.query + proof, 200), (Self.query, 303), (Self.query + "&redirect_uri=x", 400),
            (Self.query + proof + "&apiKey=another", 400),
            (Self.query + proof + "&continueUrl=http%3A%2F%2F127.0.0.1%2F", 400),
        ] {
            let answer = try page(query)
            #expect(answer.status == status)
            #expect(answer.headers["referrer-policy"] == "no-referrer")
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(answer.headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
        }
    }

    @Test("markup in a state stays text (XSS)")
    func markup() throws {
        let state = "%3C%2Fscript%3E%22%27%3E%3Cimg%20src%3Dx%3E"
        let proof = "&code_challenge=\(AuthorizingApp.challenge)&code_challenge_method=S256"
        let answer = try page(Self.query.replacing("state=xyz", with: "state=\(state)") + proof)
        #expect(answer.status == 200 && !answer.text.contains("<img") && answer.text.contains("%3Cimg%20src%3Dx%3E"))
    }

    @Test("an error caused by the app redirects to the app")
    func redirected() throws {
        let answer = try page(Self.query + "&code_challenge=\(AuthorizingApp.challenge)&code_challenge_method=plain")
        let location = try #require(answer.headers["location"])
        #expect(answer.status == 303 && location.hasPrefix("http://127.0.0.1:5173/cb?error=invalid_request&"))
        #expect(location.contains("&state=xyz&iss=https%3A%2F%2Fsecuretoken.google.com%2Fdemo-dialtone"))
    }

    @Test(
        "an unregistered redirect URI leads to an error page, not to a redirect (open redirect)",
        arguments: [
            "https://evil.example/cb", "https://app.example.com.evil.example/cb", "https://evil@app.example.com/cb",
            "https://app.example.com@evil.example/cb", "https://app.example.com/cb#x", "https://app.example.com\\cb",
            "https://app.example.com/cb\\..\\evil", "https://app.example.com./cb", "https://app.example.com:443/cb",
            "https://app.example.com/cb/", "https://app.example.com/cb?x", "https://app.example.com/c%62",
            "https://app.example.com/../cb", "https://APP.example.com/cb", "https://аpp.example.com/cb",
            "javascript:alert(1)//https://app.example.com/cb", "//app.example.com/cb", "http://app.example.com/cb",
            "http://127.0.0.1:5173/cb", "com.example.app:/cb",
        ]
    )
    func openRedirects(uri: String) throws {
        let server = try #require(Self.production)
        let escaped = uri.utf8.map { "%" + (($0 < 16) ? "0" : "") + String($0, radix: 16) }.joined()
        let proof = "&code_challenge=\(AuthorizingApp.challenge)&code_challenge_method=S256"
        for rest in [proof, ""] {
            let answer = try page("client_id=\(RunningServer.apiKey)&redirect_uri=\(escaped)\(rest)", on: server)
            #expect(answer.status == 400 && answer.headers["location"] == nil && !answer.text.contains("example.com"))
        }
        let registered = "https%3A%2F%2Fapp.example.com%2Fcb"
        let good = try page("client_id=\(RunningServer.apiKey)&redirect_uri=\(registered)\(proof)", on: server)
        #expect(good.status == 200)
    }

    /// A server that all test cases share.
    private static let production = try? RunningServer(
        .production,
        workers: 1,
        settings: ["PROJECT_DEMO_DIALTONE_REDIRECT_URIS": "https://app.example.com/cb"]
    )

    // MARK: Logs

    @Test("the log has the reference and the reason of a refusal, and no code, secret or state")
    func logs() throws {
        let server = try RunningServer(workers: 1, settings: ["LOG_LEVEL": "trace"])
        let app = AuthorizingApp(server: server)
        let idToken = try #require(try server.signInFresh("+16505550186")["idToken"])
        let code = try #require(try app.response(idToken, state: "state-of-the-app")["code"])
        let tokens = try app.exchange(code)
        let refused = try app.exchange(code)
        let reference = try #require(refused.headers["dialtone-reference"])
        _ = try server.get("/__/auth/sign-in?client_id=demo-key&state=state-of-the-app&redirect_uri=x%2Fsecret")
        #expect(
            eventually {
                server.log.split(separator: "\n").contains {
                    $0.contains(reference) && $0.contains("invalid_grant") && $0.contains("it was copied")
                }
            }
        )
        #expect(eventually { server.log.contains("redirect-uri-not-registered") })
        let secrets = [
            code, String(code.suffix(43)), AuthorizingApp.verifier, "state-of-the-app", "x%2Fsecret", idToken,
            try #require(tokens["refresh_token"]),
        ]
        for secret in server.loggedSecrets(of: secrets) { Issue.record("the log holds \(secret)") }
    }
}

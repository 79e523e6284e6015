import Cryptography
import Encodings
import Processes
import TestServers
import Testing

/// Forward authentication: a real nginx with the guide's server blocks verifies each request of a site
/// (`auth_request`).
@Suite struct ForwardAuthTests {
    private let server: RunningServer
    private let site: ProtectedSite

    init() throws {
        server = try RunningServer()
        site = try ProtectedSite(of: server)
    }

    private static func bearer(_ token: String) -> (String, String) { ("Authorization", "Bearer \(token)") }
    private static func cookie(_ value: String) -> (String, String) { ("Cookie", "a=b; __session=\(value); c=d") }

    @Test(
        "an ID token or a session cookie opens the site, which gets the user's headers and none that a client forged"
    )
    func admitted() throws {
        let user = try server.signInFresh("+16505550140")
        let uid = try #require(user["localId"])
        let idToken = try #require(user["idToken"])
        let forged = [
            ("X-Auth-User", "admin"), ("X-Auth-Email", "admin@example.com"), ("x-auth-email-verified", "true"),
            ("X-AUTH-PHONE-NUMBER", "+16505550199"), ("X-Auth-Provider", "custom"), ("X-Auth-Claims", "e30"),
            ("X_Auth_User", "admin"), ("X_Auth_Email", "admin@example.com"), ("X_Auth_Email_Verified", "true"),
            ("Connection", "close, X-Auth-User, X-Auth-Phone-Number"),
        ]
        let cookie = try server.sessionCookie(idToken)
        for credential in [Self.bearer(idToken), ("Authorization", "bearer \(idToken)"), Self.cookie(cookie)] {
            for path in ["/", "/account/"] {
                let answer = try site.request(path, headers: forged + [credential])
                #expect(answer.status == 200)
                #expect(ProtectedSite.received("user", answer) == uid)
                #expect(ProtectedSite.received("phone_number", answer) == "+16505550140")
                #expect(ProtectedSite.received("email", answer) == "")
                #expect(ProtectedSite.received("email_verified", answer) == "")
                #expect(ProtectedSite.received("provider", answer) == "phone")
                let token = credential.0 == "Cookie" ? cookie : idToken
                #expect(ProtectedSite.received("claims", answer).map { $0[...] } == token.split(separator: ".")[1])
            }
        }
    }

    @Test("a request without a valid credential gets 401 and never reaches the site")
    func refused() throws {
        let user = try server.signInFresh("+16505550141")
        let idToken = try #require(user["idToken"])
        let cookie = try server.sessionCookie(idToken)
        let parts = idToken.split(separator: ".").map(String.init)
        let none = Base64URL.string(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        let other = try RSAPrivateKey.generate()
        let signed = Base64URL.string(try other.signature(for: Array("\(parts[0]).\(parts[1])".utf8)))
        let refused: [(String, String)] = [
            Self.bearer("\(parts[0]).\(parts[1]).\(signed)"), Self.bearer("\(none).\(parts[1])."),
            Self.bearer("\(parts[0]).\(parts[1])."), Self.bearer(try hmacToken(parts)), Self.bearer(idToken + "A"),
            Self.bearer(try #require(user["refreshToken"])), Self.bearer(""), Self.bearer("é"), Self.bearer("a b"),
            // Credentials of the wrong kind.
            Self.bearer(cookie), Self.cookie(idToken),
            Self.cookie(""), Self.cookie("\(parts[0]).\(parts[1]).\(signed)"),
            ("Cookie", "session=\(cookie)"), ("Cookie", "__session=x; __session=\(cookie)"),
            ("Authorization", "Basic \(idToken)"), ("Authorization", idToken), ("X-Auth-User", "admin"),
        ]
        for header in refused {
            for path in ["/", "/account/"] {
                let answer = try site.request(path, headers: [header])
                #expect(answer.status == 401, "\(header)")
                #expect(answer.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
                #expect(ProtectedSite.received("user", answer) == nil)
            }
        }
        let missing = try site.requestOfProxy("/")
        #expect(missing.status == 401 && missing.headers["www-authenticate"] == "Bearer")
        #expect(missing.headers["cache-control"] == "no-store")
        let invalid = try site.requestOfProxy("/", headers: [Self.bearer("x")])
        #expect(invalid.headers["www-authenticate"]?.hasPrefix(#"Bearer error="invalid_token", "#) == true)
        #expect(invalid.errorCode == "UNAUTHENTICATED")
        // A valid cookie does not make up for an invalid bearer token.
        #expect(try site.request("/", headers: [Self.bearer("x"), Self.cookie(cookie)]).status == 401)
        #expect(try site.request("/.dialtone-auth", headers: [Self.bearer(idToken)]).status == 404)
    }

    /// Returns the token signed by HMAC with the public key as the secret (algorithm confusion).
    private func hmacToken(_ parts: [String]) throws -> String {
        let certificates = try server.get("/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com").json
        guard case .string(let certificate) = certificates.members.first?.value else { return "" }
        let kid = certificates.members[0].name
        let head = Base64URL.string(Array(#"{"alg":"HS256","kid":"\#(kid)","typ":"JWT"}"#.utf8))
        let code = HMAC(.sha256, key: Array(certificate.utf8)).authenticationCode(
            for: Array("\(head).\(parts[1])".utf8)
        )
        return "\(head).\(parts[1]).\(Base64URL.string(code))"
    }

    @Test(
        "whatever a client requests from a proxy, only its credential decides",
        arguments: ["GET", "POST", "OPTIONS", "PUT"]
    )
    func anyRequest(method: String) throws {
        let idToken = try #require(server.signInFresh("+16505550142")["idToken"])
        let paths = [
            "/", "/healthz", "/a/../healthz", "/a/..%2fhealthz", "/v1/publicKeys", "/auth/verify?project=other",
            "/?check=revocation&status=500", "//", "/%2e/readyz", "/emulator/v1/projects/demo-dialtone/config",
        ]
        for path in paths {
            #expect(try site.requestOfProxy(path, method: method).status == 401, "\(path)")
            let answer = try site.requestOfProxy(path, method: method, headers: [Self.bearer(idToken)])
            #expect(answer.status == 204 && answer.body.isEmpty, "\(path)")
            #expect(answer.headers["cache-control"] == "no-store")
        }
        // nginx itself rejects these.
        for path in ["/../healthz", "/a/..%2f..%2fhealthz", "/%2e%2e/", "/%00", "/%zz"] {
            let answer = try site.requestOfProxy(path, method: method, headers: [Self.bearer(idToken)])
            #expect(answer.status == 400, "\(path)")
        }
        // On the public path, too: a response to a preflight would admit a request.
        #expect(try HTTPClient(port: server.port).request(method, "/auth/verify").status == 401)
    }

    @Test("users who were disabled, signed out or deleted are refused only if revocation is checked")
    func revocation() throws {
        let changes = [
            ("+16505550143", "update", #","disableUser":true"#), ("+16505550144", "update", #","validSince":"1""#),
            ("+16505550145", "delete", ""),
        ]
        for (number, operation, change) in changes {
            let user = try server.signInFresh(number)
            let uid = try #require(user["localId"])
            let idToken = try #require(user["idToken"])
            let credentials = [Self.bearer(idToken), Self.cookie(try server.sessionCookie(idToken))]
            for credential in credentials {
                for path in ["/", "/account/"] {
                    #expect(try site.request(path, headers: [credential]).status == 200)
                }
            }
            let revoked = try server.administer(operation, #"{"localId":"\#(uid)"\#(change)}"#)
            #expect(revoked.status == 200)
            for credential in credentials {
                #expect(try site.request("/", headers: [credential]).status == 200)
                let answer = try site.request("/account/", headers: [credential])
                #expect(answer.status == 401)
                #expect(answer.headers["www-authenticate"]?.contains("revoked") == true)
            }
        }
    }

    @Test("without Redis, signatures are still verified, and requests that check revocation are refused (fail closed)")
    func withoutRedis() throws {
        let idToken = try #require(server.signInFresh("+16505550146")["idToken"])
        server.redis.stop()
        #expect(try site.request("/", headers: [Self.bearer(idToken)]).status == 200)
        #expect(try site.request("/", headers: [Self.bearer("x")]).status == 401)
        #expect(try site.request("/account/", headers: [Self.bearer(idToken)]).status == 500)
        #expect(try site.request("/account/", headers: [Self.bearer("x")]).status == 401)
    }

    private func signIn(withCustomTokenOf uid: String) throws -> HTTPAnswer {
        let payload = JSONWriter.object { $0.member("uid", uid) }
        let body = JSONWriter.object { $0.member("token", String(decoding: payload, as: UTF8.self)) }
        return try server.post("/v1/accounts:signInWithCustomToken", String(decoding: body, as: UTF8.self))
    }

    @Test("a uid chosen by a custom token cannot inject a header, and is escaped unambiguously")
    func hostileUID() throws {
        #expect(try signIn(withCustomTokenOf: "a\r\nX-Auth-Email: admin@example.com").status == 400)
        let user = try signIn(withCustomTokenOf: "é %0D%0AX-Auth-Email: admin@example.com")
        let answer = try site.request("/", headers: [Self.bearer(try #require(user["idToken"]))])
        #expect(answer.status == 200)
        #expect(ProtectedSite.received("user", answer) == "%C3%A9%20%250D%250AX-Auth-Email:%20admin@example.com")
        #expect(ProtectedSite.received("email", answer) == "")
        #expect(ProtectedSite.received("provider", answer) == "custom")
    }

    @Test("a cookie of another program, with any bytes, does not lock out users")
    func foreignCookies() throws {
        let cookie = try server.sessionCookie(try #require(server.signInFresh("+16505550139")["idToken"]))
        let head = "GET /auth/verify HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: name=J"
        let rest = "rg; __session=\(cookie)\r\n\r\n"
        // ISO 8859-1, which is invalid UTF-8.
        let answer = try HTTPClient(port: server.port).exchange(Array(head.utf8) + [0xF6] + Array(rest.utf8))
        #expect(answer.status == 204)
        #expect(answer.headers["x-auth-phone-number"] == "+16505550139")
    }

    @Test("a misspelled or unknown parameter of a proxy's verification admits no one")
    func misconfigured() throws {
        let idToken = try #require(server.signInFresh("+16505550147")["idToken"])
        for query in [
            "check=revocations", "check", "cheque=revocation", "project=", "project=other", "status=500",
            "project=demo-dialtone&project=demo-dialtone", "check=%zz",
        ] {
            let answer = try server.get("/auth/verify?\(query)", headers: [Self.bearer(idToken)])
            #expect(answer.status == 400, "\(query)")
        }
        for (query, status) in [
            ("", 204), ("project=demo-dialtone", 204), ("status=200&check=revocation", 200), ("&", 204),
        ] {
            #expect(
                try server.get("/auth/verify?\(query)", headers: [Self.bearer(idToken)]).status == status,
                "\(query)"
            )
        }
        let envoy = try ProtectedSite(of: server, more: "&status=200")
        let answer = try envoy.requestOfProxy("/a/b?c", method: "POST", headers: [Self.bearer(idToken)])
        #expect(answer.status == 200 && answer.body.isEmpty && answer.headers["x-auth-provider"] == "phone")
    }

    @Test("with several projects, a proxy must name the project whose users it admits")
    func severalProjects() throws {
        let server = try RunningServer(.production, workers: 1)
        #expect(
            try server.dialtone("test-numbers", "set", "+16505550148", "271828", "--project", "demo-dialtone").isFine
        )
        var session: String?
        #expect(
            try eventually {
                session = try server.sendVerificationCode("+16505550148")["sessionInfo"]
                return session != nil
            }
        )
        let opened = try #require(session)
        let idToken = try #require(server.signIn(opened, "271828")["idToken"])
        for (query, status) in [("", 400), ("?project=demo-dialtone", 204), ("?project=other", 401)] {
            #expect(
                try server.get("/auth/verify\(query)", headers: [Self.bearer(idToken)]).status == status,
                "\(query)"
            )
        }
        #expect(try ProtectedSite(of: server).request("/", headers: [Self.bearer(idToken)]).status == 200)
        #expect(
            try ProtectedSite(of: server, project: "other").request("/", headers: [Self.bearer(idToken)]).status == 401
        )
    }

    @Test("successes are not logged, refusals are, and no log shows a credential")
    func logs() throws {
        let idToken = try #require(server.signInFresh("+16505550149")["idToken"])
        #expect(try site.request("/", headers: [Self.bearer(idToken)]).status == 200)
        #expect(try site.request("/", headers: [Self.bearer(idToken + "x")]).status == 401)
        #expect(eventually { server.log.contains(#""route":"forwardAuth""#) })
        let lines = server.log.split(separator: "\n").filter { $0.contains(#""route":"forwardAuth""#) }
        #expect(lines.allSatisfy { !$0.contains(#""status":204"#) && !$0.contains(idToken.suffix(40)) })
    }
}

import Processes
import TestServers
import Testing

/// Savings of requests and bytes for browsers: caches, cached preflights, compression.
@Suite("Browsers of web apps") struct WebTrafficTests {
    private static let recaptchaConfig =
        "/v2/recaptchaConfig?clientType=CLIENT_TYPE_WEB&version=RECAPTCHA_ENTERPRISE&key="
    private static let scriptPaths = ["verifier.js", "dialtone.js", "dialtone.d.ts", "account.js", "account.d.ts"].map {
        "/__/auth/\($0)"
    }
    private static let acceptsGzip = "Accept-Encoding: gzip, deflate, br"

    private func get(_ target: String, _ headers: [String] = [], _ port: UInt16) throws -> HTTP.Answer {
        try #require(HTTP.send("GET \(target) HTTP/1.1", headers, to: port))
    }

    @Test("keep recaptchaConfig for an hour, whatever their origin, but no error")
    func recaptchaConfig() throws {
        let nginx = try Nginx(changing: [("burst=500 ", "burst=3 "), ("rate=100r/s", "rate=1r/m")])
        let worker = try Worker(at: nginx.workerSocket)
        let origin = "Origin: https://app.example.com"
        let answer = try get(Self.recaptchaConfig + Worker.apiKey, [origin], nginx.plainPort)
        #expect(answer.status == 200)
        #expect(answer.all("cache-control") == ["public, max-age=3600, no-transform"])
        // The response is the same for all origins, so it names none and does not vary.
        #expect(answer.all("access-control-allow-origin") == ["*"])
        #expect(answer.all("vary").isEmpty)
        #expect(answer.all("content-encoding").isEmpty)

        let unknownKey = try get(Self.recaptchaConfig + "unknown", [], nginx.plainPort)
        let client = "X-Forwarded-For: 198.51.100.1"
        for _ in 0..<4 { _ = try get(Self.recaptchaConfig + Worker.apiKey, [client], nginx.plainPort) }
        let limited = try get(Self.recaptchaConfig + Worker.apiKey, [client], nginx.plainPort)
        withExtendedLifetime(worker) {}
        let alone = try Nginx()
        let unavailable = try get(Self.recaptchaConfig + Worker.apiKey, [], alone.plainPort)
        for (answer, status) in [(unknownKey, 400), (limited, 429), (unavailable, 503)] {
            #expect(answer.status == status)
            #expect(answer.all("cache-control") == ["no-store"])
        }
    }

    @Test("and shared caches do not store responses about a project that a header selected")
    func projectOfHeader() throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket)
        defer { withExtendedLifetime(worker) {} }
        let header = "X-Goog-Api-Key: \(Worker.apiKey)"
        let configurations = [
            Self.recaptchaConfig, "/v2/recaptchaConfig", "/v2/signInConfig?hl=de", "/v2/signInConfig?hl=de&key=",
        ]
        for target in configurations {
            let answer = try get(target, [header], nginx.plainPort)
            #expect(answer.status == 200, "\(target)")
            #expect(answer.all("cache-control") == ["no-store"], "\(target)")
        }
        for target in ["/v2/recaptchaConfig?key=", "/v2/signInConfig?hl=de&key="] {
            let answer = try get(target + Worker.apiKey, [], nginx.plainPort)
            #expect(answer.all("cache-control").first?.hasPrefix("public, ") == true, "\(target)")
        }
    }

    @Test("may cache a preflight for a day, and it has no unnecessary header")
    func preflight() throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket)
        defer { withExtendedLifetime(worker) {} }
        let requested = "content-type,x-client-version,x-firebase-client,x-firebase-gmpid"
        for target in [Self.recaptchaConfig + Worker.apiKey, "/v1/accounts:lookup?key=\(Worker.apiKey)"] {
            let answer = try #require(
                HTTP.send(
                    "OPTIONS \(target) HTTP/1.1",
                    [
                        "Origin: https://app.example.com", "Access-Control-Request-Method: POST",
                        "Access-Control-Request-Headers: \(requested)",
                    ],
                    to: nginx.plainPort
                )
            )
            #expect(answer.status == 204)
            #expect(answer.all("access-control-allow-origin") == ["*"])
            #expect(answer.all("access-control-allow-headers") == [requested])
            #expect(answer.all("access-control-max-age") == ["86400"])
            #expect(
                Set(answer.headers.map(\.name)) == [
                    "access-control-allow-headers", "access-control-allow-methods", "access-control-allow-origin",
                    "access-control-max-age", "connection", "date", "server", "x-request-id",
                ]
            )
        }
    }

    @Test("load scripts compressed, cache them, and load them again only if they have changed", arguments: scriptPaths)
    func scripts(path: String) throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket)
        defer { withExtendedLifetime(worker) {} }
        let plain = try get(path, [], nginx.plainPort)
        #expect(plain.status == 200)
        #expect(plain.all("cache-control") == ["public, max-age=3600, stale-while-revalidate=86400"])
        #expect(plain.all("vary") == ["Accept-Encoding"])
        #expect(plain.all("content-encoding").isEmpty)
        #expect(plain.all("x-content-type-options") == ["nosniff"])
        let tag = try #require(plain.all("etag").first)
        #expect(nginx.accessLog(lines: 1).first?.contains(#""path":"\#(path)","#) == true)

        let compressed = try get(path, [Self.acceptsGzip], nginx.plainPort)
        #expect(compressed.all("content-encoding") == ["gzip"])
        #expect(compressed.all("vary") == ["Accept-Encoding"])
        #expect(compressed.all("etag") == ["W/\(tag)"])
        let url = "http://127.0.0.1:\(nginx.plainPort)\(path)"
        let decompressed = try mustSucceed("curl", ["--silent", "--compressed", url]).output
        #expect(decompressed == plain.body)

        for tags in [tag, "W/\(tag)", "\"other\", W/\(tag)", "*"] {
            let current = try get(path, ["If-None-Match: \(tags)", Self.acceptsGzip], nginx.plainPort)
            #expect(current.status == 304, "\(tags)")
            #expect(current.body.isEmpty)
            #expect(current.all("etag") == [tag])
            #expect(current.all("cache-control") == plain.all("cache-control"))
            #expect(current.all("access-control-allow-origin") == ["*"])
        }
        for tags in ["\"other\"", tag.filter { $0 != "\"" }, ""] {
            #expect(try get(path, ["If-None-Match: \(tags)"], nginx.plainPort).status == 200, "\(tags)")
        }
    }

    @Test("get the challenge page compressed, and no response with a secret")
    func compression() throws {
        let nginx = try Nginx()
        let app = "PROJECT_DEMO_APP_ANDROID_"
        let worker = try Worker(
            at: nginx.workerSocket,
            settings: [
                "PROJECT_DEMO_APPS": "android", app + "PACKAGE_NAME": "com.example.android",
                "PROJECT_DEMO_AUTHORIZED_DOMAINS": "auth.example.com",
            ]
        )
        let query =
            "apiKey=\(Worker.apiKey)&authType=verifyApp&apn=com.example.android&hl=en&v=X23001000&eid=p"
            + "&eventId=0b6f1f0e-7d3c-4a51-9f0e-0123456789ab&appName=%5BDEFAULT%5D&publicKey=k"
            + "&sha1Cert=00112233445566778899aabbccddeeff00112233"
        let page = try get("/__/auth/handler?\(query)", [Self.acceptsGzip], nginx.plainPort)
        #expect(page.status == 200)
        #expect(page.all("content-encoding") == ["gzip"])
        #expect(page.all("cache-control") == ["no-store"])
        #expect(page.all("content-security-policy").count == 1)
        for target in ["/v1/projects?key=\(Worker.apiKey)", "/.well-known/jwks.json", "/nowhere"] {
            let answer = try get(target, [Self.acceptsGzip], nginx.plainPort)
            #expect(answer.all("content-encoding").isEmpty, "\(target)")
            #expect(answer.all("content-security-policy").count == 1, "\(target)")
        }
        withExtendedLifetime(worker) {}
        let alone = try Nginx()
        for path in Self.scriptPaths + ["/__/auth/handler"] {
            let answer = try get(path, [Self.acceptsGzip], alone.plainPort)
            #expect(answer.status == 503)
            #expect(answer.all("cache-control") == ["no-store"])
            #expect(answer.all("content-encoding").isEmpty)
        }
    }
}

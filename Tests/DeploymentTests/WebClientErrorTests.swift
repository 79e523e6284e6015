import TestServers
import Testing

/// The Firebase JS SDK deletes the stored user if one of these calls fails with a JSON body. If servers are overloaded
/// or down, responses to these calls are therefore plain text.
@Suite("Web clients keep their user through an outage") struct WebClientErrorTests {
    private static let webClient = "X-Client-Version: Chrome/JsCore/10.14.1/FirebaseCore-web"
    private static let otherClients = [
        "X-Client-Version: Android/Fallback/X22001000/FirebaseCore-Android",
        "X-Client-Version: iOS/FirebaseSDK/10.29.0/FirebaseCore-iOS", "User-Agent: Chrome/JsCore/10.14.1",
    ]
    private static let paths = [
        "/v1/accounts:lookup", "/identitytoolkit.googleapis.com/v1/accounts:lookup",
        "/identitytoolkit/v3/relyingparty/getAccountInfo",
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/getAccountInfo", "/v1/token",
        "/securetoken.googleapis.com/v1/token",
    ]
    private static let otherPaths = [
        "/v1/accounts:sendVerificationCode", "/v1/accounts:signInWithPhoneNumber", "/v1/accounts:signUp",
        "/v1/accounts:update",
    ]

    private func post(_ path: String, _ client: String, _ port: UInt16, from address: String = "127.0.0.1") -> HTTP
        .Answer?
    {
        // The fields of all these calls. The refresh token has the format of a real one.
        let json =
            #"{"idToken":"x","grantType":"refresh_token","refreshToken":"AQAA\#(String(repeating: "A", count: 43))","#
            + #""phoneNumber":"+16505550101","sessionInfo":"x","code":"123456"}"#
        let headers = [
            client, "X-Forwarded-For: \(address)", "Content-Type: application/json",
            "Content-Length: \(json.utf8.count)",
        ]
        return HTTP.send("POST \(path)?key=\(Worker.apiKey) HTTP/1.1", headers, body: json, to: port)
    }

    private func expectText(_ answer: HTTP.Answer?, _ status: Int, _ path: String) {
        #expect(answer?.status == status, "\(path)")
        #expect(answer?.all("content-type") == ["text/plain; charset=UTF-8"], "\(path)")
        #expect(answer?.body.hasPrefix("T") == true && answer?.body.contains("{") == false, "\(path)")
        #expect(answer?.all("access-control-allow-origin") == ["*"])
        let exposed = "Retry-After, Dialtone-Reference, Dialtone-Attempts-Left"
        #expect(answer?.all("access-control-expose-headers") == [exposed])
        #expect(answer?.all("retry-after") == ["1"])
        #expect(answer?.all("cache-control") == ["no-store"])
    }

    private func expectEnvelope(_ answer: HTTP.Answer?, _ status: Int, _ path: String) {
        #expect(answer?.status == status, "\(path)")
        #expect(answer?.all("content-type") == ["application/json; charset=UTF-8"], "\(path)")
        #expect(answer?.body.hasPrefix(#"{"error":{"code":\#(status),"#) == true, "\(path)")
    }

    @Test("without a worker")
    func noWorker() throws {
        let nginx = try Nginx()
        for path in Self.paths {
            expectText(post(path, Self.webClient, nginx.plainPort), 503, path)
            for client in Self.otherClients { expectEnvelope(post(path, client, nginx.plainPort), 503, path) }
        }
        for path in Self.otherPaths { expectEnvelope(post(path, Self.webClient, nginx.plainPort), 503, path) }
    }

    @Test("when workers die or are slow")
    func deadAndSlow() throws {
        for isSlow in [false, true] {
            let nginx = try Nginx(changing: [("fastcgi_read_timeout 8s;", "fastcgi_read_timeout 1s;")])
            let workers = try DyingWorker(at: nginx.workerSocket, isSlow: isSlow)
            defer { workers.stop() }
            for path in [Self.paths[0], Self.paths[4]] {
                expectText(post(path, Self.webClient, nginx.plainPort), 503, path)
                expectEnvelope(post(path, Self.otherClients[0], nginx.plainPort), 503, path)
            }
        }
    }

    @Test("when Redis is down")
    func noRedis() throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket)
        expectEnvelope(post("/v1/token", Self.webClient, nginx.plainPort), 400, "its own refusals stay as they are")
        worker.stopRedis()
        for path in Self.paths {
            #expect(eventually { post(path, Self.webClient, nginx.plainPort)?.status == 503 })
            expectText(post(path, Self.webClient, nginx.plainPort), 503, path)
            for client in Self.otherClients { expectEnvelope(post(path, client, nginx.plainPort), 503, path) }
        }
        for path in Self.otherPaths { expectEnvelope(post(path, Self.webClient, nginx.plainPort), 503, path) }
    }

    @Test("when nginx rate limits them")
    func limited() throws {
        let nginx = try Nginx(changing: [("burst=500 ", "burst=1 "), ("rate=100r/s", "rate=1r/m")])
        for (number, path) in Self.paths.enumerated() {
            let address = "198.51.100.\(number)"
            for _ in 0..<2 { _ = post(path, Self.webClient, nginx.plainPort, from: address) }
            expectText(post(path, Self.webClient, nginx.plainPort, from: address), 429, path)
            expectEnvelope(post(path, Self.otherClients[0], nginx.plainPort, from: address), 429, path)
            expectEnvelope(post(Self.otherPaths[0], Self.webClient, nginx.plainPort, from: address), 429, path)
        }
    }
}

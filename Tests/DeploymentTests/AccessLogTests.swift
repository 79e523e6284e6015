import Testing

@Suite("The access log") struct AccessLogTests {
    @Test("has one line for each request and none for health checks")
    func lines() throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket)
        defer { withExtendedLifetime(worker) {} }
        #expect(HTTP.send("GET /healthz HTTP/1.1", to: nginx.plainPort)?.status == 200)
        #expect(HTTP.send("GET /readyz HTTP/1.1", to: nginx.plainPort)?.status == 200)
        let answer = HTTP.send("GET /v1/projects?key=\(Worker.apiKey) HTTP/1.1", to: nginx.plainPort)
        let lines = nginx.accessLog(lines: 1)
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        let id = try #require(answer?.all("x-request-id").first)
        let wanted = [
            #""address":"127.0.0.1","#, #""method":"GET","#, #""path":"/v1/projects","#, #""status":200,"#,
            #""upstreamStatus":"200","#, #""requestId":"\#(id)"}"#,
        ]
        for part in wanted { #expect(line.contains(part)) }
    }

    @Test(
        "has the paths of the admin interface",
        arguments: [
            "PATCH /v2/projects/demo-12345/config",
            "GET /admin/v2/projects/demo-12345/config",
            "PATCH /identitytoolkit.googleapis.com/v2/projects/demo-12345/config",
            "POST /v1/projects/demo-12345/accounts:batchCreate",
        ]
    )
    func adminPaths(request: String) throws {
        let nginx = try Nginx()
        let parts = request.split(separator: " ")
        // The paths are unknown on this port, whose requests have a log.
        #expect(HTTP.send("\(request) HTTP/1.1", to: nginx.plainPort)?.status == 404)
        let line = try #require(nginx.accessLog(lines: 1).first)
        #expect(line.contains(#""method":"\#(parts[0])","path":"\#(parts[1])","#))
    }

    private static let secrets = ["AIzaSecret", "447911123456", "555-0101", "PASSWORD", "123456"]

    @Test(
        "contains none of the client's text, and neither does any other log, even without a worker",
        arguments: [
            "POST /v1/accounts:sendVerificationCode?key=AIzaSecret",
            "GET /v1/projects?key=AIzaSecret&phone=%2B447911123456",
            "GET /v1/+447911123456",
            "GET /emulator/v1/projects/447911123456/verificationCodes",
            "GET /v1/projects/1-650-555-0101/accounts:batchGet",
            "PATCH /v2/projects/1-650-555-0101/config",
            "GET /projects/1-650-555-0101/.well-known/jwks.json",
            "POST /dialtone/v1/receipts/1-650-555-0101",
            "GET /robot/v1/447911123456/securetoken@system.gserviceaccount.com",
            "GET /v1/AIzaSecret-0123456789",
            "PASSWORD /v1/projects",
            "GET http://447911123456/v1/projects",
            "GET /v1/projects?key=AIzaSecret HTTP/9.9",
        ]
    )
    func privacy(_ request: String) throws {
        let nginx = try Nginx()
        let firstLine = request.contains("HTTP/") ? request : request + " HTTP/1.1"
        let headers = ["Content-Length: 0", "Referer: https://x/?key=AIzaSecret", "User-Agent: AIzaSecret"]
        _ = try #require(HTTP.send(firstLine, headers, to: nginx.plainPort))
        let lines = nginx.accessLog(lines: 1)
        #expect(lines.count == 1)
        for secret in Self.secrets {
            #expect(!lines.joined().contains(secret))
            #expect(!nginx.otherLogs.contains(secret))
        }
    }
}

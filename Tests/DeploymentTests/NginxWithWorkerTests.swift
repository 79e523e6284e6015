import Processes
import Testing
import TestServers

@Suite("A worker behind nginx") struct NginxWithWorkerTests {
    @Test("returns each header once")
    func headers() throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket)
        defer { withExtendedLifetime(worker) {} }
        for path in ["/v1/projects?key=\(Worker.apiKey)", "/v1/projects", "/nowhere"] {
            let answer = try #require(HTTP.send("GET \(path) HTTP/1.1", to: nginx.plainPort))
            for name in [
                "access-control-allow-origin", "access-control-expose-headers", "cache-control", "x-request-id",
                "x-content-type-options", "referrer-policy", "content-security-policy", "content-type",
            ] {
                #expect(answer.all(name).count == 1, "\(name) of \(path)")
            }
            #expect(answer.all("strict-transport-security").isEmpty, "not without TLS")
        }
    }

    @Test("sends Strict-Transport-Security over TLS")
    func transportSecurity() throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket)
        defer { withExtendedLifetime(worker) {} }
        let answer = try mustSucceed(
            "curl",
            ["--silent", "--insecure", "--include", "https://127.0.0.1:\(nginx.tlsPort)/readyz"]
        ).output
        #expect(answer.hasPrefix("HTTP/2 200"))
        #expect(answer.contains("strict-transport-security: max-age=31536000"))
        #expect(answer.hasSuffix(#"{"status":"ready"}"#))
    }

    @Test("receives a chunked body up to the limit")
    func chunks() throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket)
        defer { withExtendedLifetime(worker) {} }
        let padding = String(repeating: " ", count: 65_536 - 2)
        let answer = try #require(
            HTTP.send(
                "POST /v1/accounts:lookup?key=\(Worker.apiKey) HTTP/1.1",
                ["Content-Type: application/json", "Transfer-Encoding: chunked"],
                body: "10000\r\n{\(padding)}\r\n0\r\n\r\n",
                to: nginx.plainPort
            )
        )
        #expect(answer.body.contains("MISSING_ID_TOKEN"), "\(answer.body)")
    }

    @Test("keeps its own error responses")
    func ownAnswers() throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket)
        defer { withExtendedLifetime(worker) {} }
        let answer = try #require(HTTP.post("/v1/accounts:sendVerificationCode?key=wrong", "{}", to: nginx.plainPort))
        #expect(answer.status == 400)
        #expect(answer.body.contains("API key not valid"))
    }
}

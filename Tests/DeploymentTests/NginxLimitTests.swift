import Glibc
import TestServers
import Testing

@Suite("nginx's limits on a client") struct NginxLimitTests {
    /// The shipped rates, slowed so that nothing leaves a bucket while the test runs.
    private static let stoppedClock = [100, 200, 400, 20, 40, 80].map { ("rate=\($0)r/s", "rate=1r/m") }

    private static let receipt = "POST /dialtone/v1/receipts/twilio"

    private func post(_ path: String, from address: String, to port: UInt16) -> Int? {
        status("POST \(path)", from: address, to: port)
    }

    private func status(_ request: String, from address: String, to port: UInt16) -> Int? {
        HTTP.send("\(request) HTTP/1.1", ["X-Forwarded-For: \(address)", "Content-Length: 0"], to: port)?.status
    }

    /// Returns the number of requests that pass before one is refused with 429; nil if all of them pass.
    private func admitted(_ path: String, _ port: UInt16, of count: Int, from address: (Int) -> String) -> Int? {
        (0..<count).first { post(path, from: address($0), to: port) == 429 }
    }

    // No worker serves, so admitted requests get 503. Each minute of the test allows one more request.
    @Test("allow costly requests: 200 at once, 400 from a /56 and 800 from a /48")
    func costly() throws {
        let nginx = try Nginx(changing: Self.stoppedClock)
        let path = "/v1/accounts:signUp"
        let port = nginx.plainPort
        let single = try #require(admitted(path, port, of: 250) { _ in "198.51.100.7" })
        #expect((201...205).contains(single))
        #expect(post(path, from: "198.51.100.8", to: port) == 503, "another client is not limited")
        #expect(post("/v1/accounts:lookup", from: "198.51.100.7", to: port) == 503, "nor what costs little")
        let answer = HTTP.send(
            "POST /v1/accounts:sendVerificationCode HTTP/1.1",
            ["X-Forwarded-For: 198.51.100.7", "Content-Length: 0"],
            to: port
        )
        #expect(answer?.status == 429)
        #expect(answer?.body.contains(#""message":"TOO_MANY_ATTEMPTS_TRY_LATER : Too many requests.""#) == true)
        #expect(answer?.all("retry-after") == ["1"])
        #expect(answer?.all("access-control-allow-origin") == ["*"])

        let hex = { (number: Int) in String(number, radix: 16) }
        let net64 = try #require(admitted(path, port, of: 250) { "2001:db8::\(hex($0 + 1))" })
        #expect((201...205).contains(net64))
        let net56 = try #require(admitted(path, port, of: 500) { "2001:db8:0:1\(hex(16 + $0 % 200))::1" })
        #expect((401...410).contains(net56))
        let net48 = try #require(admitted(path, port, of: 900) { "2001:db8:7:\(hex($0))::1" })
        #expect((801...820).contains(net48))
        #expect(post(path, from: "2001:db8:8::1", to: port) == 503, "another /48 is not limited")
        let mapped = try #require(admitted(path, port, of: 250) { _ in "::ffff:203.0.113.7" })
        #expect((201...205).contains(mapped), "an IPv4 address in IPv6's form is one client")
        #expect(post(path, from: "::ffff:203.0.113.8", to: port) == 503)
    }

    @Test("allow 500 requests of any kind at once")
    func all() throws {
        let nginx = try Nginx(changing: Self.stoppedClock)
        let admitted = try #require(admitted("/v1/accounts:lookup", nginx.plainPort, of: 600) { _ in "198.51.100.7" })
        #expect((501...510).contains(admitted))
        for request in ["GET /healthz", "GET /readyz", "POST /dialtone/v1/receipts/twilio"] {
            #expect(status(request, from: "198.51.100.7", to: nginx.plainPort) == 503, "\(request)")
        }
        #expect(post("/healthzz", from: "198.51.100.7", to: nginx.plainPort) == 429)
    }

    @Test(
        "count health checks and delivery receipts separately",
        arguments: [("GET /healthz", 500), ("HEAD /readyz", 500), ("POST /dialtone/v1/receipts/twilio", 2000)]
    )
    func separate(request: String, atOnce: Int) throws {
        let receipts = [1000, 2000, 4000].map { ("rate=\($0)r/s", "rate=1r/m") }
        let nginx = try Nginx(changing: Self.stoppedClock + receipts)
        let admitted = (0..<(atOnce + 50)).first { _ in
            status(request, from: "198.51.100.7", to: nginx.plainPort) == 429
        }
        #expect((atOnce + 1...atOnce + 10).contains(try #require(admitted)))
        #expect(status(request, from: "198.51.100.8", to: nginx.plainPort) == 503, "another client is not limited")
        #expect(post("/v1/accounts:signUp", from: "198.51.100.7", to: nginx.plainPort) == 503)
    }

    @Test("admit only GET and HEAD as health checks", arguments: ["/healthz", "/readyz"])
    func healthCheckMethods(path: String) throws {
        let nginx = try Nginx()
        for method in ["GET", "HEAD"] {
            #expect(HTTP.send("\(method) \(path) HTTP/1.1", to: nginx.plainPort)?.status == 503, "\(method)")
        }
        for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
            let answer = HTTP.send("\(method) \(path) HTTP/1.1", to: nginx.plainPort)
            #expect(answer?.status == 405, "\(method)")
            #expect(answer?.body.contains(#""message":"The method is not allowed on this path.""#) == true)
        }
    }

    @Test("keep the 403 of an operator's own rule for health checks", arguments: ["/healthz", "/readyz"])
    func deniedHealthChecks(path: String) throws {
        let location = #"location ~ "^/(?:readyz|healthz)$" {"#
        let nginx = try Nginx(changing: [(location, "\(location) deny all;")])
        for (method, status) in [("GET", 403), ("HEAD", 403), ("POST", 405)] {
            #expect(HTTP.send("\(method) \(path) HTTP/1.1", to: nginx.plainPort)?.status == status, "\(method)")
        }
    }

    @Test(
        "do not count the admin listener, delivery receipts and programs on this machine",
        arguments: [
            ("/v1/projects/demo/accounts:lookup", "198.51.100.7", true), ("/v1/accounts:signUp", "127.0.0.1", false),
            ("/v1/accounts:signUp", "127.1.2.3", false), ("/v1/accounts:signUp", "::1", false),
            ("/v1/accounts:signUp", "::ffff:127.0.0.1", false), ("/dialtone/v1/receipts/twilio", "198.51.100.7", false),
        ]
    )
    func uncounted(path: String, address: String, isAdmin: Bool) throws {
        let nginx = try Nginx(changing: Self.stoppedClock + [("burst=200 ", "burst=1 "), ("burst=500 ", "burst=1 ")])
        let port = isAdmin ? nginx.adminPort : nginx.plainPort
        #expect(admitted(path, port, of: 10) { _ in address } == nil)
    }

    // The bodies of refused requests count as long as nginx reads them.
    @Test(
        "refuse requests of a client with 100 slow bodies; other kinds of requests, and other clients, are not limited",
        arguments: [
            ("POST /v1/token", "POST /v1/token"), ("GET /healthz", "GET /readyz"), ("GET /readyz", "GET /healthz"),
            ("POST /healthz", "GET /healthz"), (Self.receipt, Self.receipt),
        ]
    )
    func slowBodies(request: String, limited: String) throws {
        // No slow body is dropped before all of them have started.
        let nginx = try Nginx(changing: [
            ("client_body_timeout 10s;", "client_body_timeout 120s;"),
            ("lingering_time 10s;", "lingering_time 120s; lingering_timeout 120s;"),
            ("limit_conn dialtone_receipts_open    1000;", "limit_conn dialtone_receipts_open 100;"),
        ])
        func head(_ address: String) -> String {
            "\(request) HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: \(address)\r\nContent-Length: 9\r\n\r\n{"
        }
        var slow = try (0..<100).map { _ in try #require(HTTP.open(head("198.51.100.7"), to: nginx.plainPort)) }
        defer { for descriptor in slow { close(descriptor) } }
        #expect(eventually { status(limited, from: "198.51.100.7", to: nginx.plainPort) == 429 })
        let isCheck = limited.hasPrefix("GET ")
        for other in ["POST /v1/token", "GET /healthz", "GET /readyz", Self.receipt]
        where other != limited && !(isCheck && other.hasPrefix("GET ")) {
            #expect(status(other, from: "198.51.100.7", to: nginx.plainPort) == 503, "\(other)")
        }
        #expect(status(limited, from: "198.51.100.8", to: nginx.plainPort) == 503)
        close(slow.removeLast())
        #expect(eventually { status(limited, from: "198.51.100.7", to: nginx.plainPort) == 503 })
    }

    @Test(
        "close a connection whose body pauses",
        arguments: ["Content-Length: 9\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n9\r\n{"]
    )
    func pausingBody(rest: String) throws {
        let nginx = try Nginx(changing: [("client_body_timeout 10s;", "client_body_timeout 1s;")])
        #expect(HTTP.send(raw: "POST /v1/token HTTP/1.1\r\nHost: x\r\n\(rest)", to: nginx.plainPort) == nil)
        #expect(nginx.accessLog(lines: 1).first?.contains(#""status":408,"#) == true)
    }

    @Test("announce 32 concurrent streams over HTTP/2")
    func streams() throws {
        let nginx = try Nginx()
        let descriptor = try #require(
            HTTP.open("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0", to: nginx.http2Port)
        )
        defer { close(descriptor) }
        var settings: [UInt8] = []
        var byte: UInt8 = 0
        // SETTINGS is the first frame: 9 bytes of header, then 6 for each setting.
        while settings.count < 9 || settings.count < 9 + Int(settings[2]), read(descriptor, &byte, 1) == 1 {
            settings.append(byte)
        }
        try #require(settings.count >= 9 && settings[3] == 4)
        let maximumConcurrentStreams = stride(from: 9, to: settings.count, by: 6).first { settings[$0 + 1] == 3 }
        let index = try #require(maximumConcurrentStreams)
        #expect(Array(settings[(index + 2)..<(index + 6)]) == [0, 0, 0, 32])
    }
}

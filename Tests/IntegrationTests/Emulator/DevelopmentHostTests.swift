import Encodings
import Testing

/// What pages of other sites can reach of a development server, which authenticates no one.
@Suite(
    .sharedServer {
        try RunningServer(workers: 1, settings: ["PROJECT_DEMO_DIALTONE_AUTHORIZED_DOMAINS": "app.example"])
    }
)
struct DevelopmentHostTests {
    private static let inbox = "/dialtone/v1/projects/demo-dialtone/inbox"

    private var server: RunningServer {
        get throws { try #require(SharedServer.current) }
    }

    @Test("a name that resolves to this machine cannot read the inbox, unless the settings name it (DNS rebinding)")
    func rebinding() throws {
        let server = try server
        _ = try server.openVerification("+16505551921")
        for host in ["evil.example", "evil.example:\(server.port)", "demo-dialtone.firebaseapp.com"] {
            let client = HTTPClient(port: server.port, host: host)
            for (method, path) in [("GET", Self.inbox), ("POST", "/v1/accounts:signUp?key=any"), ("GET", "/nope")] {
                let answer = try client.request(method, path)
                #expect(answer.status == 403 && answer.errorMessage?.contains("AUTHORIZED_DOMAINS") == true)
                #expect(answer.json.object("error").text("status") == "PERMISSION_DENIED")
                #expect(!answer.text.contains("evil") && !answer.text.contains("+16505551921"))
            }
            #expect(try client.request("GET", "/__/auth/sign-in?apiKey=any").status == 403)
        }
        for host in [
            "127.0.0.1:\(server.port)", "[::1]:9099", "localhost", "app.localhost", "10.0.2.2:9099",
            "192.168.1.20:9099", "mac-mini.local:9099", "app.example:9099",
        ] {
            let answer = try HTTPClient(port: server.port, host: host).request("GET", Self.inbox)
            #expect(answer.status == 200 && answer.text.contains("+16505551921"), "\(host)")
        }
    }

    @Test("only pages on loopback, in the local network and at named domains can read responses")
    func origins() throws {
        let client = HTTPClient(port: try server.port)
        let cases: [(origin: String, isAllowed: Bool)] = [
            ("http://localhost:5173", true), ("http://127.0.0.1:3000", true), ("http://192.168.1.20:3000", true),
            ("https://app.example", true), ("capacitor://localhost", true), ("https://evil.example", false),
            ("https://localhost.evil.example", false), ("https://demo-dialtone.firebaseapp.com", false),
            ("null", false),
        ]
        for (origin, isAllowed) in cases {
            let preflight = try client.request(
                "OPTIONS",
                Self.inbox,
                headers: [("Origin", origin), ("Access-Control-Request-Private-Network", "true")]
            )
            let answer = try client.request("GET", Self.inbox, headers: [("Origin", origin)])
            #expect(preflight.status == 204 && answer.status == 200)
            for headers in [preflight.headers, answer.headers] {
                #expect(headers["access-control-allow-origin"] == (isAllowed ? origin : nil), "\(origin)")
                #expect(headers["vary"] == "Origin")
            }
            #expect((preflight.headers["access-control-allow-private-network"] == "true") == isAllowed, "\(origin)")
        }
    }
}

import Redis
import Testing

@Suite struct EndpointTests {
    @Test(
        "endpoints round-trip",
        arguments: [
            ("unix:/run/redis.sock", .unix(path: "/run/redis.sock")),
            ("tcp:localhost:6379", .tcp(host: "localhost", port: 6379)),
            ("tcp:[::1]:6379", .tcp(host: "::1", port: 6379)),
        ] as [(String, Endpoint)]
    )
    func parses(text: String, endpoint: Endpoint) {
        #expect(Endpoint(text) == endpoint)
        #expect(endpoint.description == text)
    }

    @Test(
        "local endpoints are distinguished from possibly remote ones",
        arguments: [
            ("unix:/run/redis.sock", true), ("tcp:localhost:6379", true), ("tcp:127.0.0.1:6379", true),
            ("tcp:127.1:6379", true), ("tcp:[::1]:6379", true), ("tcp:redis.example.com:6379", false),
            ("tcp:127.example.com:6379", false), ("tcp:10.0.0.127:6379", false), ("tcp:[2001:db8::1]:6379", false),
        ]
    )
    func locality(text: String, isLocal: Bool) {
        #expect(Endpoint(text)?.isLocal == isLocal)
    }

    @Test(
        "invalid endpoints are rejected",
        arguments: [
            "", "unix:", "unix:redis.sock", "tcp:", "tcp:host", "tcp::6379", "tcp:host:0", "tcp:host:65536",
            "tcp:::1:6379",
            "redis://host:6379", "unix:/" + String(repeating: "x", count: 107),
        ]
    )
    func refuses(text: String) {
        #expect(Endpoint(text) == nil)
    }
}

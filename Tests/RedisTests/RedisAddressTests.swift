import Testing

@testable import Redis

@Suite struct RedisAddressTests {
    @Test(
        "an address has servers, and optionally TLS, user, password and database",
        arguments: [
            ("redis://host", "tcp:host:6379", false, nil, nil, nil),
            ("redis://host/", "tcp:host:6379", false, nil, nil, nil),
            ("redis://host:6380/3", "tcp:host:6380", false, nil, nil, 3),
            ("rediss://[::1]:6380", "tcp:[::1]:6380", true, nil, nil, nil),
            ("redis://[2001:db8::1]", "tcp:[2001:db8::1]:6379", false, nil, nil, nil),
            ("redis://user:pass@host", "tcp:host:6379", false, "user", "pass", nil),
            ("redis://user@host", "tcp:host:6379", false, "user", nil, nil),
            ("redis://:pass@host/0", "tcp:host:6379", false, nil, "pass", 0),
            ("redis://us%65r:p%40%3A%2F%25%20+%C3%A9:x@host", "tcp:host:6379", false, "user", "p@:/% +é:x", nil),
            ("rediss://u:p@a,b:1,[::1]:2/65535", "tcp:a:6379,tcp:b:1,tcp:[::1]:2", true, "u", "p", 65_535),
            ("redis+sentinel://a,b:1/main", "Sentinel tcp:a:26379,tcp:b:1, master main", false, nil, nil, nil),
            ("rediss+sentinel://u:p@a/my-main.1/2", "Sentinel tcp:a:26379, master my-main.1", true, "u", "p", 2),
            ("redis+cluster://a,b:1", "Cluster tcp:a:6379,tcp:b:1", false, nil, nil, nil),
            ("rediss+cluster://u:p@[::1]:7/0", "Cluster tcp:[::1]:7", true, "u", "p", 0),
            ("tcp:a:1,tcp:[::1]:2, unix:/x", "tcp:a:1,tcp:[::1]:2,unix:/x", false, nil, nil, nil),
            ("unix:/run/a,b.sock", "unix:/run/a,b.sock", false, nil, nil, nil),
            ("unix:/run/a,unix:/run/b", "unix:/run/a,unix:/run/b", false, nil, nil, nil),
        ] as [(String, String, Bool, String?, String?, Int?)]
    )
    func parses(text: String, servers: String, tls: Bool, user: String?, password: String?, database: Int?) throws {
        let address = try RedisAddress(text)
        #expect(address.servers.description == servers)
        #expect(address.usesTLS == tls)
        #expect(address.user == user)
        #expect(address.password == password)
        #expect(address.database == database)
    }

    @Test(
        "a malformed address is rejected, and the reason contains no part of it",
        arguments: [
            "", "host", "host:6379", "http://host", "REDIS://host", "redis:/host", "redis:host", "redis://",
            "redis:///0",
            "redis://hunter2:hunter2", "redis://:hunter2", "redis://user:hunter2/0", "redis://host:0",
            "redis://host:+1",
            "redis://host:65536", "redis://::1", "redis://[::1", "redis://[host]", "redis://[::1]x", "redis://a b",
            "redis://a,", "redis://,a", "redis://a,,b", "redis://a,redis://b", "redis://höst", "redis://host\u{0}",
            "redis://host\n", "redis://host?db=1", "redis://host#1", "redis://host/-1", "redis://host/+1",
            "redis://host/65536", "redis://host/0/1", "redis://host/x", "redis://@host", "redis://user:@host",
            "redis://:@host", "redis://user:hunter%2@host", "redis://user:%zzhunter2@host",
            "redis://user:%FFhunter2@host",
            "redis://us%20er:hunter2@host", "redis://us%00er:hunter2@host", "redis://us%0Aer:hunter2@host",
            "redis+sentinel://a", "redis+sentinel://a/", "redis+sentinel://a//0", "redis+sentinel://a/main/x",
            "redis+sentinel://a/ma in", "redis+sentinel://a/ma%20in", "redis+sentinel:///main", "sentinel://a/main",
            "redis+cluster://", "redis+cluster://a/1", "redis+cluster://a/main", "cluster://a",
            "redis://user:hunter2@host@host", "redis://user:hunter2/@host", "redis://user:hunter2#@host",
            "redis://user:hunter2@", "tcp:a:1,tcp:b", "tcp:a:1,b:2", "unix:/a,tcp:", "tcp:a:1,rediss://b",
            "unix:/" + String(repeating: "x", count: 107), "redis://" + String(repeating: "x", count: 4096),
            "redis://" + repeatElement("a", count: 17).joined(separator: ","),
            repeatElement("tcp:a:1", count: 17).joined(separator: ","),
            "redis://\(String(repeating: "@", count: 2000))",
        ]
    )
    func rejects(text: String) {
        let fault = #expect(throws: RedisAddressFault.self) { try RedisAddress(text) }
        #expect(!"\(fault as Any)".contains("hunter"))
    }

    @Test("printing an address does not show its password")
    func secret() throws {
        let address = try RedisAddress("rediss://user:hunter2@host")
        var dumped = ""
        dump(address, to: &dumped)
        for text in ["\(address)", String(reflecting: address), dumped] { #expect(!text.contains("hunter2")) }
    }

    @Test("a host name or IP address is distinguished from other texts")
    func hosts() {
        for text in ["host", "redis-1.example.com", "10.0.0.1", "::1", "2001:db8::1"] {
            #expect(RedisAddress.isHost(text))
        }
        for text in ["", "a b", "host:6379", "a:6379", "[::1]", "[::1]:1", "host\u{0}", "*", "a/b"] {
            #expect(!RedisAddress.isHost(text))
        }
    }
}

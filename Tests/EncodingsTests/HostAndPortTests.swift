import Encodings
import Testing

@Suite struct HostAndPortTests {
    @Test(
        "a host is separated from its port",
        arguments: [
            ("a.example", "a.example", nil), ("a.example:443", "a.example", 443), ("127.0.0.1:0", "127.0.0.1", 0),
            ("[::1]", "::1", nil), ("[::1]:65535", "::1", 65_535),
        ] as [(String, String, UInt16?)]
    )
    func parts(text: String, host: String, port: UInt16?) {
        let parsed = HostAndPort(text[...])
        #expect(parsed.map { String($0.host) } == host && parsed?.port == port)
        #expect(parsed?.isBracketed == text.hasPrefix("["))
    }

    @Test(
        "any other text has neither host nor port",
        arguments: ["", ":1", "a:", "a:+1", "a:65536", "a:x", "::1", "::1:443", "[]", "[]:1", "[::1]:", "a\0b:1"]
    )
    func malformed(text: String) {
        #expect(HostAndPort(text[...]) == nil)
    }
}

import Testing

@testable import IdentityToolkit

/// The cookie that forward authentication reads, and the header values that it writes.
@Suite struct ForwardedTextTests {
    @Test(
        "of several cookies with the name, the first one counts",
        arguments: [
            ("__session=a.b-c_", "a.b-c_"), ("x=1; __session=a; y=2", "a"), ("x=1;__session=a", "a"),
            ("__session=a; __session=b", "a"), ("__session=a=b", "a=b"), ("__session=a ; x=1", "a"),
            ("x__session=a", nil), ("__sessionx=a", nil), ("__session", nil), ("__session=", nil),
            ("__session=; __session=b", nil), ("__SESSION=a", nil), ("__session =a", nil), ("x=__session=a", nil),
            ("", nil), (";;;=;", nil), ("x=\"; __session=a\"", "a\""),
        ] as [(String, String?)]
    )
    func cookies(header: String, value: String?) {
        #expect(Array(header.utf8).cookie(named: "__session") == value)
    }

    @Test("cookies of other programs may contain any bytes")
    func foreignBytes() {
        for other: [UInt8] in [[0xE9], [0xC3], [0xFF, 0xFE], [0x80]] {
            let foreign = Array("a=".utf8) + other
            let (own, next) = (Array("__session=x.y-z".utf8), Array("; ".utf8))
            #expect((foreign + next + own).cookie(named: "__session") == "x.y-z")
            #expect((own + next + foreign).cookie(named: "__session") == "x.y-z")
            #expect((own + other).cookie(named: "__session") == nil)
        }
    }

    @Test(
        "header values are visible ASCII, and different texts stay different",
        arguments: [
            ("EkaB2moOVtJiJkjpfPE5ig9tEbUV", "EkaB2moOVtJiJkjpfPE5ig9tEbUV"), ("+16505550100", "+16505550100"),
            ("ann@example.com", "ann@example.com"), ("a b", "a%20b"), (" a ", "%20a%20"), ("100%", "100%25"),
            ("100%25", "100%2525"), ("a\r\nX-Auth-User: b", "a%0D%0AX-Auth-User:%20b"), ("é", "%C3%A9"),
            ("\u{0}\u{7F}", "%00%7F"), ("", ""),
        ]
    )
    func headerValues(text: String, value: String) {
        #expect(text.headerValue == value)
    }
}

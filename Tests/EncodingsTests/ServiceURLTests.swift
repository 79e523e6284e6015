import Encodings
import Testing

@Suite struct ServiceURLTests {
    @Test(
        "a service URL is https, or http on a loopback address if that is allowed",
        arguments: [
            ("https://a.example", nil, nil), ("https://a.example:8443/b?c=d", nil, nil), ("https://[::1]/", nil, nil),
            ("http://127.0.0.1:8080/x", .notHTTPS, nil), ("http://[::1]/", .notHTTPS, nil),
            ("http://localhost/", .notHTTPS, .notHTTPS), ("http://a.example/", .notHTTPS, .notHTTPS),
            ("https://a@b.example", .malformed, .malformed), ("https://a:b@c.example", .malformed, .malformed),
            ("https://a.example/#b", .malformed, .malformed), ("https://", .malformed, .malformed),
            ("ftp://a.example", .malformed, .malformed), ("https://a.example/{b}", .malformed, .malformed),
            ("https://a.example/" + String(repeating: "a", count: 2048), .malformed, .malformed),
        ] as [(String, ServiceURLError?, ServiceURLError?)]
    )
    func urls(text: String, expected: ServiceURLError?, plain: ServiceURLError?) {
        for (isAllowed, fault) in [(false, expected), (true, plain)] {
            do throws(ServiceURLError) {
                #expect(try ServiceURL(text, allowsPlainLoopback: isAllowed).text == text)
                #expect(fault == nil)
            } catch {
                #expect(error == fault)
            }
        }
    }

    @Test("the description of a service URL shows only scheme, host and port")
    func shown() throws {
        let url = try ServiceURL("https://a.example:8443/hidden?token=hidden")
        #expect("\(url)" == "https://a.example:8443" && String(reflecting: url) == "https://a.example:8443")
    }
}

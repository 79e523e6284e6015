import PhoneAuth
import Testing

@Suite struct RedirectURITests {
    private func project(_ uris: String...) -> Project {
        Project(id: "demo-app", authorizedDomains: [], redirectURIs: uris.compactMap { RedirectURI($0) })
    }

    private func accepts(_ uri: String, _ other: String, anyLoopback: Bool = false) -> Bool {
        project(uri).redirectURI(other, acceptsLoopback: anyLoopback)?.text.utf8.elementsEqual(other.utf8) == true
    }

    @Test(
        "https, loopback addresses and an app's own schemes can be registered",
        arguments: [
            "https://app.example.com/signed-in", "https://app.example.com", "https://app.example.com:8443/a?b=c",
            "http://127.0.0.1/cb", "http://127.0.0.1:5173/cb", "http://[::1]/cb", "com.example.app:/signed-in",
            "com.example.app://signed-in", "com.googleusercontent.apps.123-abc:/cb",
        ]
    )
    func valid(uri: String) {
        #expect(RedirectURI(uri)?.description == uri && accepts(uri, uri))
    }

    @Test(
        "other addresses cannot be registered",
        arguments: [
            "", "https://", "https:app.example.com", "http://app.example.com/", "http://localhost/cb",
            "https://user@app.example.com/", "https://app.example.com/#", "https://app.example.com/a b",
            "https://app.example.com\\@evil.example/", "https://äpp.example.com/", "javascript:alert(1)",
            "data:text/html,x", "intent://x", "myapp:/cb", "com.example.app:cb", "COM.example.app:/cb", ".a:/",
            "1com.example:/cb", "com.example.app:/cb#a", "com.example.app://user@host", "/signed-in",
            "com.example.app:/" + String(repeating: "a", count: 2048),
        ]
    )
    func invalid(uri: String) {
        #expect(RedirectURI(uri) == nil)
    }

    @Test(
        "an app's URI that differs in any byte is refused (open redirect)",
        arguments: [
            "https://app.example.com/K/", "https://app.example.com/k", "https://APP.example.com/K",
            "https://app.example.com:443/K", "https://app.example.com./K", "https://app.example.com/K?",
            "https://app.example.com/K#", "https://app.example.com/K#a", "https://user@app.example.com/K",
            "https://app.example.com@evil.example/K", "https://app.example.com\\@evil.example/K",
            "https://app.example.com/./K", "https://app.example.com/%4B", "https://app.example.com/K\u{0}",
            "https://app.example.com/K\n", " https://app.example.com/K", "//app.example.com/K", "/K",
            "https://evil.example/https://app.example.com/K", "http://app.example.com/K", "HTTPS://app.example.com/K",
            // Swift compares the Kelvin sign as equal to K.
            "https://app.example.com/\u{212A}", "https://app.example.com/K\u{301}", "",
        ]
    )
    func different(uri: String) {
        #expect(!accepts("https://app.example.com/K", uri))
        #expect(!accepts("https://app.example.com/K", uri, anyLoopback: true))
    }

    @Test("a registered loopback address without a port matches every port, and one with a port only that port")
    func ports() {
        for port in ["", ":1", ":80", ":51004", ":65535"] {
            #expect(accepts("http://127.0.0.1/cb", "http://127.0.0.1\(port)/cb"))
            #expect(accepts("http://[::1]/cb", "http://[::1]\(port)/cb"))
            #expect(!accepts("http://127.0.0.1:5173/cb", "http://127.0.0.1\(port)/cb"))
            #expect(!accepts("https://127.0.0.1/cb", "https://127.0.0.1\(port)/cb") || port.isEmpty)
        }
        for other in [
            ":", ":0", ":00080", ":65536", ":+80", ":-1", ":8o", ":80:80", ":80@evil.example", ".evil.example",
            ":80.evil.example", "@evil.example", ":٨٠",
        ] {
            #expect(!accepts("http://127.0.0.1/cb", "http://127.0.0.1\(other)/cb"), "\(other)")
        }
        #expect(!accepts("http://127.0.0.1/cb", "http://127.0.0.1:80/other"))
        #expect(!accepts("http://127.0.0.1/cb", "http://127.0.0.2:80/cb"))
        #expect(!accepts("http://127.0.0.1/cb", "http://localhost:80/cb"))
    }

    @Test("any loopback address is accepted in development mode, and only there")
    func development() {
        for uri in ["http://127.0.0.1:5173/cb", "http://[::1]:5173/"] {
            #expect(project().redirectURI(uri, acceptsLoopback: true)?.text == uri)
            #expect(project().redirectURI(uri, acceptsLoopback: false) == nil)
        }
        for uri in ["https://127.0.0.1/", "http://127.0.0.1@evil.example/", "http://127.0.0.1.evil.example/", "http:"] {
            #expect(project().redirectURI(uri, acceptsLoopback: true) == nil)
        }
    }
}

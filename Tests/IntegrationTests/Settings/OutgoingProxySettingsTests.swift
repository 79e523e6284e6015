import Testing

@testable import OutgoingHTTP
@testable import dialtone

/// The settings of the proxy for outgoing requests.
@Suite struct OutgoingProxySettingsTests {
    private static func settings(_ proxy: [String: String]) throws -> Settings {
        let needed = [
            "PROJECTS": "acme", "PROJECT_ACME_API_KEYS": "key", "REDIS_ADDRESS": "unix:/run/redis.sock",
            "KEY_FILE": "/etc/dialtone/keys.json",
        ]
        let settings = needed.merging(proxy.map { ("OUTGOING_PROXY_\($0.key)", $0.value) }) { $1 }
        return try Settings(
            SettingsSource(
                file: nil,
                environment: Dictionary(uniqueKeysWithValues: settings.map { ("DIALTONE_\($0.key)", $0.value) })
            )
        )
    }

    @Test("without a URL there is no proxy")
    func none() throws {
        #expect(try Self.settings([:]).outgoingProxy == nil)
        #expect(try Self.settings(["URL": "", "USER": "", "PASSWORD": ""]).outgoingProxy == nil)
    }

    @Test("a proxy has a URL, and optional credentials")
    func accepted() throws {
        let url = "http://proxy.example.com:3128"
        for url in [url, "http://[::1]:3128"] {
            let proxy = try #require(try Self.settings(["URL": url]).outgoingProxy)
            #expect(proxy.url == url && proxy.credentials == nil)
        }
        let proxy = try Self.settings(["URL": url, "USER": "dialtone", "PASSWORD": "a:b@c"]).outgoingProxy
        let credentials = try #require(proxy?.credentials)
        #expect(credentials.user == "dialtone" && credentials.password == "a:b@c")
    }

    @Test(
        "an invalid setting is reported in one line with its name",
        arguments: [
            (
                ["URL": "https://proxy.example.com:3128"],
                #"URL: "https://proxy.example.com:3128" is not http://host:port, without user name and password"#
            ),
            (
                ["URL": "http://proxy.example.com"],
                #"URL: "http://proxy.example.com" is not http://host:port, without user name and password"#
            ),
            (
                ["URL": "http://dialtone:secret@proxy.example.com:3128"],
                #"URL: "…@proxy.example.com:3128" is not http://host:port, without user name and password"#
            ),
            (
                ["USER": "dialtone"],
                "USER: has no effect because DIALTONE_OUTGOING_PROXY_URL is not set; remove it"
            ),
            (
                ["PASSWORD": "secret"],
                "PASSWORD: has no effect because DIALTONE_OUTGOING_PROXY_URL is not set; remove it"
            ),
            (
                ["URL": "http://127.0.0.1:3128", "USER": "dialtone"],
                "PASSWORD: not set, but required; for example secret"
            ),
            (
                ["URL": "http://127.0.0.1:3128", "PASSWORD": "secret"],
                "USER: not set, but required; for example dialtone"
            ),
            (
                ["URL": "http://127.0.0.1:3128", "USER": "dialtone:secret", "PASSWORD": "secret"],
                "USER: it contains a colon, or it or the password contains a control character"
            ),
        ] as [([String: String], String)]
    )
    func faults(proxy: [String: String], message: String) {
        let failure = #expect(throws: Failure.self) { try Self.settings(proxy) }
        #expect(failure?.description == "DIALTONE_OUTGOING_PROXY_\(message)")
    }
}

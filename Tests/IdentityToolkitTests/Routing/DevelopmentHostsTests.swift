import Testing

@testable import IdentityToolkit

/// The hosts under which a development server answers.
@Suite struct DevelopmentHostsTests {
    private let hosts = DevelopmentHosts(named: ["app.example", "dev.example:9099"])

    @Test(
        "loopback and private addresses, names of this machine and named domains are accepted",
        arguments: [
            "127.0.0.1", "127.0.0.1:9099", "127.255.0.9", "[::1]", "[::1]:9099", "localhost", "LocalHost:9099",
            "app.localhost", "10.0.2.2:9099", "10.255.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.20:9099",
            "169.254.1.1", "[fd12:3456::1]:9099", "[fe80::1]", "mac-mini.local:9099", "app.example", "App.Example:3000",
            "dev.example:9099",
        ]
    )
    func accepted(host: String) {
        #expect(hosts.contain(host: host))
        #expect(hosts.contain(hostOf: "http://\(host)") && hosts.contain(hostOf: "https://\(host)"))
    }

    @Test(
        "other hosts are refused",
        arguments: [
            "", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evillocalhost", "app.example.evil",
            "evil.app.example", "dev.example", "dev.example:80", "8.8.8.8", "172.15.0.1", "172.32.0.1", "192.169.0.1",
            "11.0.0.1", "127.0.0", "127.0.0.1.1", "127.0.0.256", "127.0.0.+1", "[::2]", "[2001:db8::1]", "::1",
            "demo-dialtone.firebaseapp.com", "localhost:x", "localhost@evil.example",
            "x#.localhost", "x?.localhost", "x/.localhost", "evil.example#.local", "x%2e.local", "x y.localhost",
            ".localhost", "x..localhost", "-x.localhost", "x-.local", "[fd00:#]", "[fe80::1%eth0]",
        ]
    )
    func refused(host: String) {
        #expect(!hosts.contain(host: host))
        #expect(!hosts.contain(hostOf: "http://\(host)"))
    }

    @Test(
        "an origin without a host is refused",
        arguments: ["", "null", "localhost", "http:localhost", "://", "file://"]
    )
    func noHost(origin: String) {
        #expect(!hosts.contain(hostOf: origin))
    }

    @Test("apps whose scheme is their own are accepted at localhost", arguments: ["capacitor://localhost"])
    func ownScheme(origin: String) {
        #expect(hosts.contain(hostOf: origin))
    }
}

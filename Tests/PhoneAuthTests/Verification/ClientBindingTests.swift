import Testing

@testable import PhoneAuth

@Suite struct ClientBindingTests {
    static let networks: [(address: String, network: String)] = [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:0db8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8::1", "2001:db8:0:0::/64"),
        ("2001:db8::", "2001:db8:0:0::/64"),
        ("2001:db8:0:0:1::", "2001:db8:0:0::/64"),
        ("2001:db8::5:6:7:8:9", "2001:db8:0:5::/64"),
        ("::1", "0:0:0:0::/64"),
        ("::", "0:0:0:0::/64"),
        ("::3:4:5:6:7:8", "0:0:3:4::/64"),
        ("1::8", "1:0:0:0::/64"),
        ("fe80::1%eth0", "fe80:0:0:0::/64"),
        // An IPv4-mapped IPv6 address counts by its whole address: its /64 would be all of IPv4.
        ("::ffff:1.2.3.4", "::ffff:1.2.3.4"),
        ("", ""),
    ]

    @Test(
        "an IPv6 address counts by its first 64 bits, however it is written, and an IPv4 address as a whole",
        arguments: networks
    )
    func network(address: String, network: String) {
        #expect(IPv6Network.narrowest(of: address) == network)
    }

    @Test("each wider network of an IPv6 address is written in one way, and an IPv4 address has none")
    func widerNetworks() throws {
        let network = try #require(IPv6Network(ofAddress: "2001:DB8:1:234:5::6"))
        #expect(network.text(bits: 64) == "2001:db8:1:234::/64")
        #expect(network.text(bits: 56) == "2001:db8:1:200::/56")
        #expect(network.text(bits: 48) == "2001:db8:1:0::/48")
        for address in ["192.0.2.1", "::ffff:192.0.2.1", ""] { #expect(IPv6Network(ofAddress: address) == nil) }
    }

    @Test("a client is identified by a hash of network, API key and project under the index key")
    func hash() throws {
        let keys = try TestKeys.make()
        let project = Project(id: "demo-app", authorizedDomains: [])
        func hash(_ address: String, _ apiKey: String, _ project: Project, _ keys: ServerKeys) -> String {
            ClientBinding.network(address: address, apiKey: apiKey).hash(for: .signIn, in: project, keys)
        }
        let reference = hash("2001:db8::1", "key", project, keys)
        #expect(reference == hash("2001:db8:0:0:ffff::2", "key", project, keys))
        let others = [
            hash("2001:db8:0:1::1", "key", project, keys), hash("2001:db8::1", "kez", project, keys),
            hash("2001:db8::1", "key", Project(id: "other-app", authorizedDomains: []), keys),
            hash("2001:db8::1", "key", project, try TestKeys.make(seed: 2)),
        ]
        #expect(Set(others + [reference]).count == 5)
        #expect(reference.utf8.count == 22)
    }
}

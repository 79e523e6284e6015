import FastCGI
import Testing

@Suite struct ListenAddressTests {
    @Test(
        "listen addresses round-trip",
        arguments: [
            ("unix:/run/x.sock", ListenAddress.unix(path: "/run/x.sock")),
            ("unix:relative:odd", .unix(path: "relative:odd")),
            ("tcp:127.0.0.1:9000", .tcp(host: "127.0.0.1", port: 9000)),
            ("tcp:[::1]:9000", .tcp(host: "::1", port: 9000)),
            ("tcp:localhost:0", .tcp(host: "localhost", port: 0)),
            ("fd:3", .inherited(descriptor: 3)),
            ("systemd", .systemd),
        ]
    )
    func roundTrip(text: String, address: ListenAddress) throws {
        #expect(try ListenAddress(parsing: text) == address)
        #expect(address.description == text)
    }

    @Test(
        "invalid listen addresses are rejected",
        arguments: [
            "", "/run/x.sock", "unix:", "unix:a\0b", "tcp:", "tcp:9000", "tcp::9000", "tcp:[]:9000", "tcp:::1:9000",
            "tcp:host:65536", "tcp:host:+1", "tcp:host:", "fd:", "fd:-1", "fd:+3", "fd:x", "systemd:", "Systemd",
        ]
    )
    func refused(text: String) {
        #expect(throws: ListenAddressError(text: text)) { try ListenAddress(parsing: text) }
    }
}

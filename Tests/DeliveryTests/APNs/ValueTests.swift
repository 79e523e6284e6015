import Delivery
import PhoneAuth
import RedisScripts
import Testing

@Suite struct ValueTests {
    @Test(
        "a device token is 1 to 100 bytes of hexadecimal, in upper or lower case",
        arguments: [
            ("A1b2", "a1b2"), ("00", "00"), (String(repeating: "Ff", count: 100), String(repeating: "ff", count: 100)),
            ("", nil), ("a", nil), ("abc", nil), ("0x12", nil), ("g1", nil), ("١٢", nil), ("a1 b", nil), ("../a", nil),
            (String(repeating: "ff", count: 101), nil),
        ] as [(String, String?)]
    )
    func deviceToken(text: String, hexadecimal: String?) {
        #expect(DeviceToken(hexadecimal: text)?.hexadecimal == hexadecimal)
    }

    @Test(
        "an origin is https, a host and an optional port",
        arguments: [
            ("https://api.push.apple.com", "https://api.push.apple.com"),
            ("https://127.0.0.1:8443", "https://127.0.0.1:8443"),
            ("https://[::1]:2197", "https://[::1]:2197"),
            ("https://[::1]", "https://[::1]"),
            ("https://a.example:443", "https://a.example"),
            ("http://a.example", nil), ("https://", nil), ("https://a.example/", nil), ("https://a.example:0", nil),
            ("https://a.example:65536", nil), ("https://a.example:", nil), ("https://u@a.example", nil),
            ("a.example", nil), ("https://a b", nil),
        ] as [(String, String?)]
    )
    func origin(text: String, description: String?) {
        #expect(PushOrigin(text)?.description == description)
    }

    @Test(
        "a bundle id, which is a topic, has letters, digits, dashes and dots",
        arguments: [
            ("com.example.app", true), ("a", true), ("com.example.My-App2", true), ("com.example.my_app", false),
            ("", false), ("com example", false),
            ("com.example\r\napns-priority: 10", false), ("com.exämple", false),
            (String(repeating: "a", count: 156), false),
        ]
    )
    func topic(text: String, isTopic: Bool) {
        #expect((BundleID(text) != nil) == isTopic)
    }

    @Test("each environment uses Apple's host")
    func hosts() {
        #expect(PushEnvironment.production.origin.description == "https://api.push.apple.com")
        #expect(PushEnvironment.sandbox.origin.description == "https://api.sandbox.push.apple.com")
        #expect(PushEnvironment.production.other == .sandbox)
        #expect(PushEnvironment.sandbox.other == .production)
    }
}

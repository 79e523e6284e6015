import ChallengePages
import PhoneAuth
import Testing

@Suite struct VerifyAppRequestTests {
    static let good = [
        ("apiKey", "key"), ("authType", "verifyApp"), ("ibi", "com.example.app"), ("v", "iOS/FirebaseSDK/11.0"),
        ("eventId", "ABCDEFGHIJ"), ("clientId", "123-abc.apps.googleusercontent.com"), ("hl", "he"),
    ]

    /// Returns the valid query with some values replaced, or removed if the new value is nil.
    static func query(_ changes: [String: String?]) -> [(name: String, value: String)] {
        let kept: [(name: String, value: String)] = good.filter { changes[$0.0] == nil }
        return kept + changes.compactMap { name, value in value.map { (name, $0) } }
    }

    func parse(_ query: [(name: String, value: String)]) throws -> VerifyAppRequest {
        let domain = try #require(AuthDomain("127.0.0.1:9099"))
        let other = try RegisteredApp(bundleID: "com.example.other", appID: "1:123:ios:def")
        let android = try #require(AndroidApp(name: "a", packageName: "com.example.android", retrieverHashes: []))
        return try VerifyAppRequest(
            query: query,
            authDomain: domain,
            apps: [other, try Sample.app()],
            androidApps: .registered([android])
        )
    }

    @Test("a request with a client id redirects to the reversed client id")
    func clientID() throws {
        let request = try parse(Self.query([:]))
        #expect(request.callback.opening == .scheme(try #require(CallbackScheme(clientIDOf: try Sample.app()))))
        #expect(request.callback.eventID.text == "ABCDEFGHIJ")
        #expect(request.app == .iOS(try Sample.app()))
    }

    @Test("a request with an app id redirects to the encoded app id")
    func appID() throws {
        let request = try parse(Self.query(["clientId": nil, "appId": "1:123:ios:abc"]))
        #expect(request.callback.opening == .scheme(try #require(CallbackScheme(appIDOf: try Sample.app()))))
    }

    static let refused: [([String: String?], VerifyAppRefusal.Reason, isCalledBack: Bool)] = [
        (["authType": nil], .unsupportedType, false),
        (["authType": "signInViaRedirect"], .unsupportedType, false),
        (["eventId": nil], .malformed, false),
        (["eventId": ""], .malformed, false),
        (["eventId": "a b"], .malformed, false),
        (["eventId": "é"], .malformed, false),
        (["eventId": String(repeating: "A", count: 65)], .malformed, false),
        (["clientId": nil], .malformed, false),
        (["appId": "1:123:ios:abc"], .malformed, false),
        (["ibi": nil], .malformed, true),
        (["ibi": "<script>"], .malformed, true),
        (["ibi": "com.example.other"], .bundleIDMismatch, true),
        (["ibi": "com.example.unknown"], .bundleIDMismatch, true),
        (["clientId": nil, "appId": "1:123:ios:def"], .bundleIDMismatch, true),
        (["clientId": "666-evil.apps.googleusercontent.com"], .schemeNotRegistered, false),
        (["clientId": "javascript"], .schemeNotRegistered, false),
        (["ibi": "com.example.unknown", "clientId": "666-evil.apps.googleusercontent.com"], .unknownApp, false),
        (["ibi": nil, "clientId": "666-evil.apps.googleusercontent.com"], .malformed, false),
    ]

    @Test("each error is named, and only a registered scheme is redirected to", arguments: refused)
    func refusals(changes: [String: String?], reason: VerifyAppRefusal.Reason, isCalledBack: Bool) throws {
        let refusal = try #require(throws: VerifyAppRefusal.self) { try parse(Self.query(changes)) }
        #expect(refusal.reason == reason)
        #expect((refusal.callback != nil) == isCalledBack)
    }

    private static let android = [
        "ibi": nil, "clientId": nil, "apn": "com.example.android", "eventId": "0b6f1f0e-7d3c-4a51-9f0e-0123456789ab",
        "sha1Cert": "00112233445566778899aabbccddeeff00112233", "publicKey": "k", "appName": "[DEFAULT]", "eid": "p",
    ]

    @Test("a registered Android app is opened by an intent for its package")
    func androidApp() throws {
        let request = try parse(Self.query(Self.android))
        #expect(request.callback.opening == .intent(packageName: "com.example.android"))
        #expect(request.callback.eventID.text == "0b6f1f0e-7d3c-4a51-9f0e-0123456789ab")
        guard case .android(let app) = request.app else { throw Sample.Missing() }
        #expect(app.packageName == "com.example.android")
    }

    @Test(
        "an Android app that is not registered, or an incomplete request, opens nothing",
        arguments: [
            (["apn": "com.example.unknown"], VerifyAppRefusal.Reason.unknownApp),
            (["apn": "com.example.android;scheme=x"], .unknownApp), (["sha1Cert": nil], .malformed),
            (["sha1Cert": "0011"], .malformed), (["sha1Cert": String(repeating: "g", count: 40)], .malformed),
            (["ibi": "com.example.app"], .malformed), (["clientId": "123-abc.apps.googleusercontent.com"], .malformed),
            (["eventId": "a;end"], .malformed), (["authType": "signInViaRedirect"], .unsupportedType),
        ] as [([String: String?], VerifyAppRefusal.Reason)]
    )
    func androidRefusals(changes: [String: String?], reason: VerifyAppRefusal.Reason) throws {
        let query = Self.query(Self.android.merging(changes) { $1 })
        let refusal = try #require(throws: VerifyAppRefusal.self) { try parse(query) }
        #expect(refusal.reason == reason)
        #expect(refusal.callback == nil)
    }

    @Test("a repeated parameter is rejected", arguments: ["authType", "eventId", "clientId", "ibi"])
    func twice(name: String) throws {
        let value = try #require(Self.good.first { $0.0 == name }).1
        let refusal = try #require(throws: VerifyAppRefusal.self) { try parse(Self.query([:]) + [(name, value)]) }
        #expect(refusal.reason == .malformed)
    }

    @Test("apps that share a client id are distinguished by bundle id")
    func sharedClientID() throws {
        let apps = try ["com.example.one", "com.example.two"].map {
            try RegisteredApp(bundleID: $0, clientID: "123-abc.apps.googleusercontent.com")
        }
        let domain = try #require(AuthDomain("auth.example.com"))
        let query = Self.query(["ibi": "com.example.two"])
        let request = try VerifyAppRequest(
            query: query,
            authDomain: domain,
            apps: apps,
            androidApps: .registered([])
        )
        #expect(request.app == .iOS(apps[1]))
    }

    @Test(
        "identifiers that would produce an unsafe scheme are rejected",
        arguments: [
            ("com.example.app", nil, "javascript"), ("com.example.app", nil, "a.b:c"),
            ("com.example.app", nil, "x.1com"),
            ("com.example.app", nil, "x."), ("com.example.app", "1:2/3", nil), ("com.example.app", "", nil),
            ("", nil, nil),
            ("com example", nil, nil), (String(repeating: "a", count: 156), nil, nil),
        ]
    )
    func unsafe(bundleID: String, appID: String?, clientID: String?) {
        #expect(throws: RegisteredAppError.self) {
            try RegisteredApp(bundleID: bundleID, appID: appID, clientID: clientID)
        }
    }

    @Test(
        "only a host with an optional port is an auth domain",
        arguments: [
            ("auth.example.com", true), ("127.0.0.1:9099", true), ("[::1]:9099", true), ("", false),
            ("a.com/evil", false), ("a.com\r\nX: y", false), ("a.com?x", false), ("user@a.com", false), ("a\"b", false),
        ]
    )
    func authDomain(text: String, isOne: Bool) {
        #expect((AuthDomain(text) != nil) == isOne)
    }
}

import Cryptography
import Encodings
import IntegrityStandIn
import PhoneAuth
import PlayIntegrity
import Testing

@Suite struct IntegrityRequirementsTests {
    private static let now = TestApp.now.milliseconds

    private static func nonce(_ text: String) -> [UInt8] { SHA256.hash(Array(text.utf8)) }

    @Test("the token of the genuine app on a genuine device is accepted")
    func genuine() throws {
        let app = try TestApp()
        #expect(try app.refusal(of: TestApp.payload()) == nil)
        #expect(app.apps.mayBeValid(try app.tokens.token("{}"), of: "com.example.app", in: TestApp.project) == true)
    }

    @Test(
        "a payload with a single wrong value is refused",
        arguments: [
            (["requestDetails", "requestPackageName"], .string("com.example.other"), .integrityPackageOther),
            (["requestDetails", "requestPackageName"], nil, .integrityPackageOther),
            (["appIntegrity", "packageName"], .string("com.example.app2"), .integrityPackageOther),
            (["appIntegrity", "packageName"], nil, .integrityPackageOther),
            (["appIntegrity", "certificateSha256Digest"], .array([]), .integrityCertificateOther),
            (["appIntegrity", "certificateSha256Digest"], nil, .integrityCertificateOther),
            (
                ["appIntegrity", "certificateSha256Digest"],
                .array([.string(Base64URL.string(nonce("another certificate")))]), .integrityCertificateOther
            ),
            (
                ["appIntegrity", "certificateSha256Digest"],
                .string(Base64URL.string(IntegrityTokens.certificateDigest)), .integrityCertificateOther
            ),
            (["appIntegrity", "appRecognitionVerdict"], .string("UNRECOGNIZED_VERSION"), .integrityVerdictMissing),
            (["appIntegrity", "appRecognitionVerdict"], .string("UNEVALUATED"), .integrityVerdictMissing),
            (["appIntegrity"], nil, .integrityVerdictMissing),
            (["deviceIntegrity", "deviceRecognitionVerdict"], .array([]), .integrityVerdictMissing),
            (
                ["deviceIntegrity", "deviceRecognitionVerdict"], .array([.string("MEETS_BASIC_INTEGRITY")]),
                .integrityVerdictMissing
            ),
            (["deviceIntegrity"], nil, .integrityVerdictMissing),
            (
                ["deviceIntegrity", "recentDeviceActivity", "deviceActivityLevel"], .string("LEVEL_4"),
                .integrityDeviceTooActive
            ),
            (["requestDetails", "nonce"], nil, .integrityNonceOther),
            (["requestDetails", "nonce"], .string(""), .integrityNonceOther),
            (["requestDetails", "nonce"], .string("+16505550100"), .integrityNonceOther),
            (["requestDetails", "nonce"], .string(Base64URL.string(nonce("+16505550101"))), .integrityNonceOther),
            (["requestDetails", "nonce"], .string(Hexadecimal.encode(nonce("+16505550100"))), .integrityNonceOther),
            (["requestDetails"], nil, .integrityPackageOther),
            (["requestDetails", "timestampMillis"], nil, .integrityTimeOutside),
            (["requestDetails", "timestampMillis"], .string("soon"), .integrityTimeOutside),
            (["requestDetails", "timestampMillis"], .string("\(now - 300_001)"), .integrityTimeOutside),
            (["requestDetails", "timestampMillis"], .string("\(now + 60_001)"), .integrityTimeOutside),
            (["requestDetails", "timestampMillis"], .string("-9223372036854775808"), .integrityTimeOutside),
            (["requestDetails", "timestampMillis"], .string("99999999999999999999"), .integrityTimeOutside),
        ] as [([String], JSONValue?, InvalidAppCredential)]
    )
    func wrong(path: [String], value: JSONValue?, expected: InvalidAppCredential) throws {
        #expect(try TestApp().refusal(of: TestApp.payload([(path, value)])) == expected)
    }

    @Test(
        "other spellings of correct values are accepted",
        arguments: [
            (["requestDetails", "nonce"], .string(Base64.encode(nonce("+16505550100")))),
            (["requestDetails", "nonce"], .string(Base64.encode(nonce("+16505550100"), isPadded: false))),
            (["requestDetails", "nonce"], .string(Base64URL.string(nonce("+16505550100")) + "=")),
            (["requestDetails", "timestampMillis"], .number("\(now - 300_000)")),
            (["requestDetails", "timestampMillis"], .string("\(now + 60_000)")),
            (
                ["appIntegrity", "certificateSha256Digest"],
                .array([.string("other"), .string(Base64.encode(IntegrityTokens.certificateDigest))])
            ),
            (["deviceIntegrity", "recentDeviceActivity", "deviceActivityLevel"], .string("LEVEL_3")),
            (["accountDetails"], nil),
        ] as [([String], JSONValue?)]
    )
    func right(path: [String], value: JSONValue?) throws {
        #expect(try TestApp().refusal(of: TestApp.payload([(path, value)])) == nil)
    }

    @Test("the operator selects the verdicts, and all of them are required")
    func verdicts() throws {
        let licensed: (path: [String], value: JSONValue?) = (
            ["accountDetails", "appLicensingVerdict"], .string("LICENSED")
        )
        let strict = try TestApp(verdicts: [.playRecognized, .licensed, .meetsStrongIntegrity])
        let strong: (path: [String], value: JSONValue?) = (
            ["deviceIntegrity", "deviceRecognitionVerdict"],
            .array([.string("MEETS_DEVICE_INTEGRITY"), .string("MEETS_STRONG_INTEGRITY")])
        )
        #expect(try strict.refusal(of: TestApp.payload([licensed])) == .integrityVerdictMissing)
        #expect(try strict.refusal(of: TestApp.payload([strong])) == .integrityVerdictMissing)
        #expect(try strict.refusal(of: TestApp.payload([licensed, strong])) == nil)
        let loose = try TestApp(verdicts: [.meetsBasicIntegrity])
        let unrecognized: (path: [String], value: JSONValue?) = (
            ["appIntegrity", "appRecognitionVerdict"], .string("UNRECOGNIZED_VERSION")
        )
        #expect(try loose.refusal(of: TestApp.payload([unrecognized])) == nil)
        #expect(
            try loose.refusal(of: TestApp.payload([unrecognized, (["appIntegrity", "certificateSha256Digest"], nil)]))
                == .integrityCertificateOther,
            "the certificate is required with any verdicts"
        )
    }

    @Test("a token is valid only for the app, the project and the texts of the request")
    func scope() throws {
        let app = try TestApp()
        let token = try app.tokens.token(TestApp.payload())
        let other = Project(id: "other", authorizedDomains: [])
        #expect(app.apps.mayBeValid(token, of: "com.example.app", in: other) == nil)
        #expect(app.apps.mayBeValid(token, of: "com.example.app2", in: TestApp.project) == nil)
        #expect(app.apps.refusal(of: TestApp.request(token), in: other) == .integrityNotConfigured)
        let foreign = TestApp.request(token, packageName: "com.example.app2")
        #expect(app.apps.refusal(of: foreign, in: TestApp.project) == .integrityNotConfigured)
        for (subjects, expected) in [
            ([], InvalidAppCredential.integrityNonceOther), (["(650) 555-0100", TestApp.number], nil),
        ] {
            #expect(app.apps.refusal(of: TestApp.request(token, subjects: subjects), in: TestApp.project) == expected)
        }
    }

    @Test("a certificate's digest is 32 bytes in hexadecimal, with or without colons")
    func digests() {
        let digits = String(repeating: "4f", count: 32)
        let withColons = String(repeating: "4F:", count: 31) + "4F"
        #expect(CertificateDigest(digits) == CertificateDigest(withColons))
        #expect(CertificateDigest(withColons)?.description == digits)
        for text in ["", "4f", String(digits.dropLast()), digits + "00", String(repeating: "4g", count: 32)] {
            #expect(CertificateDigest(text) == nil)
        }
    }
}

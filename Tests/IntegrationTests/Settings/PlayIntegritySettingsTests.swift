import Encodings
import IntegrityStandIn
import PhoneAuth
import Processes
import TestServers
import Testing

@testable import dialtone

/// The settings of Play Integrity: completeness and consistency.
@Suite struct PlayIntegritySettingsTests {
    private static let app = "PROJECT_DEMO_DIALTONE_APP_ANDROID_"
    private static let number = "PLAY_INTEGRITY_PROJECT_NUMBER"
    private static let digests = "CERTIFICATE_DIGESTS"
    private static let keys = "PLAY_INTEGRITY_KEY_FILE"
    private static let account = "PLAY_INTEGRITY_SERVICE_ACCOUNT_FILE"
    private static let url = "PLAY_INTEGRITY_URL"

    private let files: TemporaryFolder
    private let complete: [String: String]

    init() throws {
        files = try TemporaryFolder(prefix: "dialtone-settings")
        try files.write(IntegrityTokens().keyFile(), to: "keys")
        try files.write("DECRYPTION_KEY=AAAA\n", to: "no-keys")
        try files.write(IntegrityTokens().keyFile().split(separator: "\n")[0] + "\n", to: "one-key")
        complete = [
            Self.number: "123456789012",
            Self.digests: Hexadecimal.encode(IntegrityTokens.certificateDigest),
            Self.keys: files.path(of: "keys"),
        ]
    }

    private func settings(_ ofApp: [String: String], mode: String = "production") throws -> Settings {
        let base = [
            "MODE": mode, "PROJECTS": "demo-dialtone", "PROJECT_DEMO_DIALTONE_API_KEYS": "key",
            "REDIS_ADDRESS": "unix:/run/redis.sock", "KEY_FILE": "/etc/dialtone/keys.json",
            "PROJECT_DEMO_DIALTONE_APPS": "android", Self.app + "PACKAGE_NAME": IntegrityTokens.packageName,
        ]
        let all = ofApp.reduce(into: base) { $0[Self.app + $1.key] = $1.value }
        let environment = Dictionary(uniqueKeysWithValues: all.map { ("DIALTONE_\($0.key)", $0.value) })
        return try Settings(SettingsSource(file: nil, environment: environment))
    }

    private func expectFault(
        _ ofApp: [String: String],
        of setting: String,
        _ reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            _ = try settings(ofApp)
            Issue.record("accepted", sourceLocation: sourceLocation)
        } catch {
            let lines = "\(error)".split(separator: "\n")
            #expect(
                lines.contains { $0.hasPrefix("DIALTONE_\(Self.app)\(setting): ") && $0.contains(reason) },
                "\(error)",
                sourceLocation: sourceLocation
            )
        }
    }

    @Test("response keys are sufficient, and the project number reaches the app")
    func accepted() throws {
        for mode in ["production", "development"] {
            let settings = try settings(complete, mode: mode)
            let app = settings.projects[0].androidApps.app(packageName: IntegrityTokens.packageName)
            #expect(app?.integrityProjectNumber == 123_456_789_012)
            #expect(!settings.callsOtherServers)
        }
        let without = try settings([:])
        #expect(without.projects[0].androidApps.app(packageName: "com.example.app")?.integrityProjectNumber == nil)
    }

    @Test("an incomplete configuration is an error that names the missing setting")
    func halves() {
        func without(_ setting: String) -> [String: String] { complete.filter { $0.key != setting } }
        expectFault(without(Self.digests), of: Self.digests, "not set, but required")
        expectFault(without(Self.keys), of: Self.keys, "not set, but Play Integrity requires it or DIALTONE_")
        for setting in [Self.digests, Self.keys] {
            expectFault(without(Self.number), of: setting, "\(Self.number) is not set; set it, or remove this")
        }
        for (setting, value) in [(Self.url, "https://a.example"), ("PLAY_INTEGRITY_VERDICTS", "LICENSED")] {
            expectFault([setting: value], of: setting, "\(Self.number) is not set; set it, or remove this")
        }
    }

    @Test("two ways to decode tokens, and values in another format, are errors")
    func wrong() {
        func with(_ setting: String, _ value: String) -> [String: String] { complete.merging([setting: value]) { $1 } }
        expectFault(with(Self.account, "/dev/null"), of: Self.account, "is set, too; remove one of them")
        expectFault(with(Self.url, "https://a.example"), of: Self.url, "has no effect because")
        expectFault(with(Self.number, "my-project"), of: Self.number, "is not the number of a Google Cloud project")
        expectFault(with(Self.number, "0"), of: Self.number, "is not the number of a Google Cloud project")
        expectFault(with(Self.digests, "4F:4F"), of: Self.digests, "4F:4F is not SHA-256 of a certificate")
        expectFault(with("PLAY_INTEGRITY_VERDICTS", "GOOD"), of: "PLAY_INTEGRITY_VERDICTS", "GOOD is not one of")
        for setting in [Self.number, Self.digests] {
            let value = complete[setting] ?? ""
            let ofIOS = ["BUNDLE_ID": "com.example.app", "PACKAGE_NAME": "", setting: value]
            expectFault(ofIOS, of: setting, "an iOS app has")
        }
    }

    @Test("workers and 'config check' name what is wrong with a file, and other processes do not read it")
    func contents() throws {
        func failure(_ setting: String, _ file: String) throws -> String {
            let ofApp = complete.filter { $0.key != Self.keys }.merging([setting: files.path(of: file)]) { $1 }
            let settings = try settings(ofApp)
            return "\(try #require(throws: Failure.self) { _ = try settings.appVerification() })"
        }
        #expect(try failure(Self.keys, "none").contains(files.path(of: "none")))
        #expect(try failure(Self.keys, "no-keys").contains("no-keys: no line DECRYPTION_KEY="))
        #expect(try failure(Self.keys, "one-key").contains("one-key: no line VERIFICATION_KEY="))
        #expect(try failure(Self.account, "keys").contains("keys: not JSON with client_email"))
        guard case .required = try settings(complete).appVerification() else {
            Issue.record("any app is trusted")
            return
        }
    }

    @Test("the URL of Google's server has no path, and requires TLS except on loopback")
    func urls() throws {
        try files.write(TestServiceAccount.file(tokenURL: "https://oauth2.example.com/token"), to: "account")
        var ofGoogle = complete.filter { $0.key != Self.keys }
        ofGoogle[Self.account] = files.path(of: "account")
        #expect(try settings(ofGoogle).callsOtherServers)
        for url in ["https://google.example", "https://google.example:8443", "http://127.0.0.1:8080"] {
            ofGoogle[Self.url] = url
            #expect(try settings(ofGoogle).callsOtherServers)
        }
        for url in ["http://google.example", "https://google.example/", "https://google.example/v1", "google.example"] {
            ofGoogle[Self.url] = url
            expectFault(ofGoogle, of: Self.url, "is not an https URL without a path")
        }
    }
}

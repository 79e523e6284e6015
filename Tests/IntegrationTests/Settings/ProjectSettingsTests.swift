import PhoneAuth
import Testing

@testable import dialtone

/// The settings of projects and their apps.
@Suite struct ProjectSettingsTests {
    static func settings(_ ofProject: [String: String]) throws -> Settings {
        var all = Dictionary(uniqueKeysWithValues: ofProject.map { ("PROJECT_ACME_\($0.key)", $0.value) })
        all.merge([
            "PROJECTS": "acme", "PROJECT_ACME_API_KEYS": "key", "REDIS_ADDRESS": "unix:/run/redis.sock",
            "KEY_FILE": "/etc/dialtone/keys.json",
        ]) { $1 }
        let environment = Dictionary(uniqueKeysWithValues: all.map { ("DIALTONE_\($0.key)", $0.value) })
        return try Settings(SettingsSource(file: nil, environment: environment))
    }

    private static func failure(_ ofProject: [String: String]) -> [String]? {
        #expect(throws: Failure.self) { try settings(ofProject) }?.lines
    }

    @Test(
        "the URL that verifies solutions is https, or http on this machine, and no error shows it",
        arguments: [
            ("https://captcha.example.com/verify", true), ("http://127.0.0.1:8080/verify", true),
            ("http://captcha.example.com/verify", false), ("https://user:password@captcha.example.com/", false),
        ]
    )
    func verifyURL(url: String, isAccepted: Bool) throws {
        let project = [
            "CHALLENGE": "hcaptcha", "CHALLENGE_SITE_KEY": "key", "CHALLENGE_SECRET": "secret",
            "CHALLENGE_VERIFY_URL": url,
        ]
        if isAccepted {
            _ = try Self.settings(project)
        } else {
            let form = "an https URL, or an http URL with a loopback address, without user name or fragment"
            #expect(
                Self.failure(project) == ["DIALTONE_PROJECT_ACME_CHALLENGE_VERIFY_URL: the value is not \(form)"]
            )
        }
    }

    @Test("authorized domains are hosts with an optional port, in lower case")
    func domains() throws {
        let settings = try Self.settings(["AUTHORIZED_DOMAINS": "App.example.com, app.example.com:8443"])
        #expect(settings.projects[0].authorizedDomains == ["app.example.com", "app.example.com:8443"])
        for domain in ["https://app.example.com", "app.example.com/"] {
            let form = "a host name, such as app.example.com or app.example.com:8443"
            #expect(
                Self.failure(["AUTHORIZED_DOMAINS": "localhost,\(domain)"])
                    == ["DIALTONE_PROJECT_ACME_AUTHORIZED_DOMAINS: \"localhost,\(domain)\": \(domain) is not \(form)"]
            )
        }
    }

    @Test("the parts of an APNs credential are rejected if they have no effect")
    func pushCredentials() throws {
        func app(_ more: [String: String]) -> [String: String] {
            let app = ["BUNDLE_ID": "com.example.app"].merging(more) { $1 }
            return Dictionary(uniqueKeysWithValues: app.map { ("APP_IOS_\($0.key)", $0.value) })
                .merging(["APPS": "ios"]) { $1 }
        }
        let ids = ["APNS_KEY_ID": "ABCDE12345", "APNS_TEAM_ID": "ABCDE12345"]
        let setting = "DIALTONE_PROJECT_ACME_APP_IOS_APNS"
        for (name, value) in ids {
            let reason = "has no effect because \(setting)_KEY_FILE is not set; set it, or remove this"
            let line = "DIALTONE_PROJECT_ACME_APP_IOS_\(name): \"\(value)\": \(reason)"
            #expect(Self.failure(app([name: value])) == [line])
        }
        let certificate = ids.merging(["APNS_CERTIFICATE_FILE": "/etc/dialtone/apns.pem"]) { $1 }
        let lines = Self.failure(app(certificate)) ?? []
        let reason = "has no effect because \(setting)_CERTIFICATE_FILE is set; remove it"
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix(reason) }, "\(lines)")
        _ = try Self.settings(app(ids.merging(["APNS_KEY_FILE": "/etc/dialtone/apns.p8"]) { $1 }))
        #expect(try !Self.settings(app([:])).projects[0].apps[0].hasPush)
    }
}

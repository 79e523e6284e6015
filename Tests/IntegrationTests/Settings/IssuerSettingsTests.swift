import PhoneAuth
import Testing

@testable import dialtone

/// The settings of token issuers.
@Suite struct IssuerSettingsTests {
    private static func issuers(_ more: [String: String], mode: String = "production") throws -> [String] {
        let complete = [
            "PROJECTS": mode == "production" ? "acme,other" : "acme", "REDIS_ADDRESS": "unix:/run/redis.sock",
            "KEY_FILE": "/etc/dialtone/keys.json", "MODE": mode, "PROJECT_ACME_API_KEYS": "a",
        ]
        let ofProduction = mode == "production" ? ["PROJECT_OTHER_API_KEYS": "b"] : [:]
        let all = complete.merging(ofProduction) { $1 }.merging(more) { $1 }
        let environment = Dictionary(uniqueKeysWithValues: all.map { ("DIALTONE_\($0.key)", $0.value) })
        return try Settings(SettingsSource(file: nil, environment: environment)).projects.map(\.idTokenIssuer)
    }

    private static func failure(_ more: [String: String], mode: String = "production") -> String? {
        #expect(throws: Failure.self) { try issuers(more, mode: mode) }?.description
    }

    @Test("the issuer is Firebase's unless the project has its own")
    func issuers() throws {
        let firebase = ["acme", "other"].map { "https://securetoken.google.com/\($0)" }
        #expect(try Self.issuers([:]) == firebase)
        let atRoot = "https://auth.example.com"
        #expect(try Self.issuers(["PROJECT_ACME_ISSUER": atRoot]) == [atRoot, firebase[1]])
        let both = ["PROJECT_ACME_ISSUER": atRoot, "PROJECT_OTHER_ISSUER": "\(atRoot)/projects/other"]
        #expect(try Self.issuers(both) == [atRoot, "\(atRoot)/projects/other"])
        let hosts = ["PROJECT_ACME_ISSUER": atRoot, "PROJECT_OTHER_ISSUER": "https://auth.example.org"]
        #expect(try Self.issuers(hosts) == [atRoot, "https://auth.example.org"])
        let loopback = "http://127.0.0.1:9099"
        #expect(try Self.issuers(["PROJECT_ACME_ISSUER": loopback], mode: "development") == [loopback])
    }

    @Test("an issuer that verifiers could not use is rejected, and the message says what to change")
    func faults() {
        #expect(
            Self.failure(["PROJECT_ACME_ISSUER": "http://127.0.0.1"])
                == #"DIALTONE_PROJECT_ACME_ISSUER: "http://127.0.0.1" is not an https URL without user name, query or fragment"#
        )
        #expect(
            Self.failure(["PROJECT_ACME_ISSUER": "http://localhost"], mode: "development")
                == #"DIALTONE_PROJECT_ACME_ISSUER: "http://localhost" is not an https URL without user name, query or fragment, or an http URL with a loopback address"#
        )
        #expect(
            Self.failure(["PROJECT_ACME_ISSUER": "https://auth.example.com/"])
                == #"DIALTONE_PROJECT_ACME_ISSUER: "https://auth.example.com/": Dialtone serves the discovery document only at https://<host> and at https://<host>/projects/acme, without a slash at the end"#
        )
        #expect(
            Self.failure(["PROJECT_ACME_ISSUER": "https://securetoken.google.com"])
                == #"DIALTONE_PROJECT_ACME_ISSUER: "https://securetoken.google.com": this is Firebase's host; remove it to use Firebase's issuer"#
        )
        #expect(
            Self.failure([
                "PROJECT_ACME_ISSUER": "https://auth.example.com",
                "PROJECT_OTHER_ISSUER": "https://auth.example.com:443",
            ])
                == #"DIALTONE_PROJECT_OTHER_ISSUER: "https://auth.example.com:443": project acme has the same issuer; several projects on one host need issuers such as https://<host>/projects/other"#
        )
    }
}

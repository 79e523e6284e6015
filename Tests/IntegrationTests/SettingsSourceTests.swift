import FastCGI
import Processes
import Redis
import TestServers
import Testing

@testable import dialtone

/// Where settings come from, and what messages show of them.
@Suite struct SettingsSourceTests {
    private static let complete = [
        "PROJECTS": "acme", "PROJECT_ACME_API_KEYS": "key", "REDIS_ADDRESS": "unix:/run/redis.sock",
        "KEY_FILE": "/etc/dialtone/keys.json",
    ]

    private static func settings(
        _ more: [String: String],
        environment: [String: String] = [:]
    ) throws -> Settings {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let lines = complete.merging(more) { $1 }.map { "DIALTONE_\($0.key) = \($0.value)\n" }
        try folder.write("  # DIALTONE_THREADS=7\n\n" + lines.joined(), to: "dialtone.conf")
        return try Settings(
            SettingsSource(
                file: folder.path(of: "dialtone.conf"),
                environment: Dictionary(uniqueKeysWithValues: environment.map { ("DIALTONE_\($0.key)", $0.value) })
            )
        )
    }

    private static func failure(_ more: [String: String]) -> String? {
        #expect(throws: Failure.self) { try settings(more) }?.description
    }

    @Test("the environment takes precedence over the file, and an empty value is no value")
    func precedence() throws {
        #expect(try Self.settings([:]).server.threads == 16)
        #expect(try Self.settings(["THREADS": "3"]).server.threads == 3)
        #expect(try Self.settings(["THREADS": ""]).server.threads == 16)
        #expect(try Self.settings(["THREADS": "3"], environment: ["THREADS": "4"]).server.threads == 4)
        #expect(try Self.settings(["THREADS": "3"], environment: ["THREADS": ""]).server.threads == 16)
        #expect(try Self.settings(["REDIS_PASSWORD": "a#b = c"]).redis.password == "a#b = c")
    }

    @Test("lines may end as on Windows, and each is read", arguments: ["\r\n", "\r"])
    func lineEnds(end: String) throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let lines = Self.complete.map { "DIALTONE_\($0.key)=\($0.value)" }
        let more = ["DIALTONE_THREADS=3", "DIALTONE_PROJECT_ACME_MESSAGE_FILE=\(folder.path(of: "messages"))", ""]
        try folder.write((["# Settings"] + lines + more).joined(separator: end), to: "settings")
        try folder.write(
            ["de={code} ist dein Code.", "# Dutch", "nl=Je code is {code}.", ""].joined(separator: end),
            to: "messages"
        )
        let settings = try Settings(SettingsSource(file: folder.path(of: "settings"), environment: [:]))
        #expect(settings.server.threads == 3)
    }

    @Test(
        "a line of another form is named by its number, and its text, which may be a secret, is not shown",
        arguments: [
            "hunter2", "hunter2=", "DIALTONE_REDIS_PASSWORD: hunter2=", "export DIALTONE_THREADS=hunter2", "=hunter2",
        ]
    )
    func malformedLines(line: String) throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write("# Settings\n\(line)\n", to: "settings")
        let path = folder.path(of: "settings")
        let failure = #expect(throws: Failure.self) { try SettingsSource(file: path, environment: [:]) }
        #expect(failure?.description == "\(path):2: the line is not NAME=value")
    }

    @Test("a setting of an app or a gateway that no list contains is rejected with its line")
    func strangers() {
        for (name, message) in [
            ("PROJECT_ACME_APP_IOS_BUNDLE_ID", " of a project or app that the settings list"),
            ("GATEWAY_MAIN_SECRET", " of a gateway that the settings list"), ("COLOR", ""),
        ] {
            let failure = Self.failure([name: "x"])
            #expect(failure?.hasSuffix(": DIALTONE_\(name) is not a setting\(message)") == true, "\(failure ?? "")")
        }
    }

    @Test(
        "names that two owners share are rejected",
        arguments: [
            ["GATEWAYS": "trust", "GATEWAY_TRUST_KIND": "file", "GATEWAY_TRUST_FILE": "/tmp/messages"],
            ["PROJECTS": "acme,acme-app-x-package", "PROJECT_ACME_APPS": "x"],
        ]
    )
    func sharedNames(settings: [String: String]) {
        #expect(Self.failure(settings)?.contains("have a setting of this name; rename one of them") == true)
    }

    @Test(
        "a fault of a gateway is one line with the setting and what is wrong",
        arguments: [
            (["KIND": "carrier-pigeon"], #"KIND: "carrier-pigeon" is not one of twilio, vonage, webhook, file"#),
            (["KIND": ""], "KIND: not set, but required; for example twilio"),
            (["SECRET": "a b"], "SECRET: the secret is not 1 to 512 printable ASCII characters without spaces"),
            (["SECRET": "short"], "SECRET: the key is shorter than 32 characters"),
            (
                ["URL": "http://sms.example.com"],
                "URL: the URL is not https, and no webhook at an address of this machine itself"
            ),
            (["RECEIPT_SECONDS": "4"], #"RECEIPT_SECONDS: "4" is not a number from 5 to 300"#),
            (
                ["KIND": "vonage", "ACCOUNT": "key", "SENDER": "Example", "RECEIPT_SECONDS": "30"],
                "RECEIPT_SECRET: not set, but required; for example auth-token"
            ),
            (
                ["KIND": "vonage", "ACCOUNT": "key", "SENDER": "a name that is too long"],
                "SENDER: \"a name that is too long\": the sender is neither a number, a name, nor a messaging service"
            ),
        ] as [([String: String], String)]
    )
    func gateways(settings: [String: String], message: String) {
        var complete = [
            "KIND": "webhook", "SECRET": "0123456789abcdef0123456789abcdef", "URL": "https://sms.example.com",
        ]
        complete.merge(settings) { $1 }
        if complete["KIND"] == "vonage" { complete["URL"] = nil }
        let named = Dictionary(uniqueKeysWithValues: complete.map { ("GATEWAY_MAIN_\($0.key)", $0.value) })
        let failure = Self.failure(["GATEWAYS": "main", "RECEIPT_URL": "https://a.example"].merging(named) { $1 })
        #expect(failure == "DIALTONE_GATEWAY_MAIN_\(message)")
    }

    @Test(
        "no message shows a secret",
        arguments: [
            [
                "GATEWAY_MAIN_KIND": "webhook", "GATEWAY_MAIN_URL": "https://a.example/",
                "GATEWAY_MAIN_SECRET": "hunter2",
            ],
            ["GATEWAY_MAIN_KIND": "webhook", "GATEWAY_MAIN_URL": "ftp://hunter2", "GATEWAY_MAIN_SECRET": "k"],
            ["GATEWAY_MAIN_KIND": "vonage", "GATEWAY_MAIN_SECRET": "hunter2 "],
            ["PROJECT_ACME_CHALLENGE_SECRET": "hunter2"],
            ["PROJECT_ACME_CHALLENGE_VERIFY_URL": "https://example.com/hunter2"],
            ["PROJECT_ACME_BEFORE_SIGN_IN_URL": "http://hooks.example.com/?token=hunter2"],
            ["REDIS_ADDRESS": "redis://dialtone:hunter2@127.0.0.1:6379"],
            ["REDIS_ADDRESS": "x\r\nDIALTONE_REDIS_PASSWORD=hunter2"],
            ["OUTGOING_PROXY_URL": "http://dialtone:hunter2@proxy.example.com:3128"],
            [
                "OUTGOING_PROXY_URL": "http://proxy.example.com:3128", "OUTGOING_PROXY_USER": "dialtone:hunter2",
                "OUTGOING_PROXY_PASSWORD": "hunter2",
            ],
            ["OUTGOING_PROXY_PASSWORD": "hunter2"],
        ]
    )
    func secrets(settings: [String: String]) throws {
        let failure = try #require(Self.failure(["GATEWAYS": "main"].merging(settings) { $1 }))
        #expect(failure.hasPrefix("DIALTONE_"), "\(failure)")
        #expect(!failure.contains("hunter2"), "\(failure)")
    }
}

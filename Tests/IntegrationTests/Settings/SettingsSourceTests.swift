import FastCGI
import Processes
import Redis
import TestServers
import Testing

@testable import dialtone

/// The sources of settings, and what error messages show of them.
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

    @Test("the environment takes precedence over the file, and an empty value counts as absent")
    func precedence() throws {
        #expect(try Self.settings([:]).server.threads == 16)
        #expect(try Self.settings(["THREADS": "3"]).server.threads == 3)
        #expect(try Self.settings(["THREADS": ""]).server.threads == 16)
        #expect(try Self.settings(["THREADS": "3"], environment: ["THREADS": "4"]).server.threads == 4)
        #expect(try Self.settings(["THREADS": "3"], environment: ["THREADS": ""]).server.threads == 16)
        #expect(try Self.settings(["REDIS_PASSWORD": "a#b = c"]).redis.password == "a#b = c")
    }

    @Test("a secret can be in a file of its own, but not in both places; other settings cannot")
    func secretFiles() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write("hunter2\n", to: "password")
        let path = folder.path(of: "password")
        #expect(try Self.settings(["REDIS_PASSWORD_FILE": path]).redis.password == "hunter2")
        let name = "DIALTONE_REDIS_PASSWORD_FILE"
        #expect(
            Self.failure(["REDIS_PASSWORD_FILE": path, "REDIS_PASSWORD": "x"])
                == "\(name): DIALTONE_REDIS_PASSWORD is set, too; remove one of them"
        )
        #expect(
            Self.failure(["REDIS_PASSWORD_FILE": "/nonexistent"]) == "\(name): /nonexistent: No such file or directory"
        )
        #expect(Self.failure(["THREADS_FILE": path])?.contains("DIALTONE_THREADS_FILE is not a setting") == true)
    }

    @Test("Windows line endings are accepted", arguments: ["\r\n", "\r"])
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

    @Test("a byte order mark is accepted, and text in another encoding is refused")
    func encoding() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "settings")
        try folder.write("\u{FEFF}DIALTONE_THREADS=3\n", to: "settings")
        #expect(try SettingsSource(file: path, environment: [:]).text("DIALTONE_THREADS") == "3")
        try createPrivateFile(path + "2", Array("DIALTONE_PROJECT_ACME_NAME=Caf".utf8) + [0xE9])
        let failure = #expect(throws: Failure.self) { try SettingsSource(file: path + "2", environment: [:]) }
        #expect(failure?.description == "\(path)2: not text in UTF-8")
    }

    @Test(
        "a malformed line is reported by number, without its text, which may be a secret",
        arguments: [
            "hunter2", "hunter2=", "DIALTONE_REDIS_PASSWORD: hunter2=", "export DIALTONE_THREADS=hunter2", "=hunter2",
        ]
    )
    func malformedLines(line: String) throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write("# Settings\n\(line)\n", to: "settings")
        let path = folder.path(of: "settings")
        let failure = #expect(throws: Failure.self) { try Settings(SettingsSource(file: path, environment: [:])) }
        #expect(failure?.lines.first == "\(path):2: the line is not NAME=value")
        #expect(failure?.description.contains("hunter2") == false)
    }

    @Test("all errors are reported at once, in the order of the file, without a secret")
    func severalFaults() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let lines = [
            "DIALTONE_PROJECTS=acme", "DIALTONE_KEY_FILE=keys.json", "DIALTONE_THREADS=many",
            "DIALTONE_REDIS_PASSWORD=hunter2", "DIALTONE_REDIS_ADDRESS=redis://user:hunter3@host/x", "hunter4",
            "DIALTONE_PROJECT_ACME_SMS_ALLOWED_REGIONS=US,uk", "DIALTONE_PROJECT_ACME_APPS=ios",
            "DIALTONE_PROJECT_ACME_APP_IOS_BUNDLE_ID=com example", "DIALTONE_GATEWAYS=main",
            "DIALTONE_GATEWAY_MAIN_SECRET=hunter5", "DIALTONE_GATEWAY_MAIN_URL=https://sms.example.com",
            "DIALTONE_GATEWAY_MAIN_KIND=webhook", "DIALTONE_SHARD=3", "DIALTONE_OUTGOING_PROXY_PASSWORD=hunter6",
            "DIALTONE_OUTGOING_PROXY_URL=http://127.0.0.1:3128",
        ]
        try folder.write(lines.joined(separator: "\n"), to: "settings")
        let path = folder.path(of: "settings")
        let failure = #expect(throws: Failure.self) {
            try Settings(SettingsSource(file: path, environment: ["DIALTONE_LISTEN": "9000"]))
        }
        let expected = [
            #"DIALTONE_LISTEN: "9000" is not systemd, unix:/path, tcp:host:port or fd:number"#,
            #"DIALTONE_THREADS: "many" is not a number from 1 to 512"#,
            #"DIALTONE_REDIS_ADDRESS: "…@host/x": the path must be the number of a database, such as /0"#,
            "\(path):6: the line is not NAME=value",
            #"DIALTONE_PROJECT_ACME_SMS_ALLOWED_REGIONS: "US,uk": uk is not a region code (ISO 3166-1 alpha-2, or 001)"#,
            #"DIALTONE_PROJECT_ACME_APP_IOS_BUNDLE_ID: "com example" is not letters, digits, dashes and dots"#,
            "DIALTONE_GATEWAY_MAIN_SECRET: the key is shorter than 32 characters",
            "\(path):14: DIALTONE_SHARD is not a setting; did you mean DIALTONE_SHARDS?",
            "DIALTONE_PROJECT_ACME_API_KEYS: not set, but required",
            "DIALTONE_OUTGOING_PROXY_USER: not set, but required; for example dialtone",
        ]
        #expect(failure?.lines == expected)
    }

    @Test("config check reports the faults of the settings and of all files that they name at once")
    func faultsOfFiles() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write("not a certificate", to: "text")
        let (text, none) = (folder.path(of: "text"), folder.path(of: "none"))
        var settings = Self.complete.merging([
            "KEY_FILE": none, "THREADS": "many", "PROJECT_ACME_APPS": "a,b", "BLOCKING_HOOK_TRUST_FILE": text,
            "APNS_TRUST_FILE": none, "GATEWAYS": "main", "GATEWAY_MAIN_KIND": "file", "GATEWAY_MAIN_FILE": none,
            "GATEWAY_TRUST_FILE": text,
        ]) { $1 }
        for (app, file) in [("A", text), ("B", none)] {
            for (name, value) in [
                ("PACKAGE_NAME", "com.example.\(app)"), ("PLAY_INTEGRITY_PROJECT_NUMBER", "1"),
                ("PLAY_INTEGRITY_KEY_FILE", file), ("CERTIFICATE_DIGESTS", String(repeating: "4F", count: 32)),
            ] {
                settings["PROJECT_ACME_APP_\(app)_\(name)"] = value
            }
        }
        let environment = Dictionary(uniqueKeysWithValues: settings.map { ("DIALTONE_\($0.key)", $0.value) })
        let failure = #expect(throws: Failure.self) {
            try Settings.checkingStart(SettingsSource(file: nil, environment: environment))
        }
        let expected = [
            #"DIALTONE_THREADS: "many" is not a number from 1 to 512"#,
            "\(none): No such file or directory",
            "\(text): no line DECRYPTION_KEY= with 32 bytes in Base64",
            "\(none): No such file or directory",
            "DIALTONE_BLOCKING_HOOK_TRUST_FILE: \"\(text)\" is not a PEM file of certificates",
            "DIALTONE_APNS_TRUST_FILE: \(none): No such file or directory",
            "DIALTONE_GATEWAY_TRUST_FILE: \"\(text)\" is not a PEM file of certificates",
        ]
        #expect(failure?.lines == expected)
    }

    @Test(
        "errors that follow from another error are not reported",
        arguments: [
            (["PROJECTS": "Acme"], ["PROJECTS"]), (["PROJECTS": ""], ["PROJECTS"]),
            (["MODE": "debug", "DEVELOPMENT_TOKENS": "unsigned"], ["MODE"]),
            (["GATEWAYS": "Main", "GATEWAY_MAIN_KIND": "file", "GATEWAY_ROUTES": "*=main"], ["GATEWAYS"]),
            (["PROJECT_ACME_APPS": "Ios", "PROJECT_ACME_APP_IOS_BUNDLE_ID": "a.b"], ["PROJECT_ACME_APPS"]),
            (["PROJECT_ACME_CHALLENGE": "none", "PROJECT_ACME_CHALLENGE_SITE_KEY": "k"], ["PROJECT_ACME_CHALLENGE"]),
            (
                ["REDIS_COMMAND_TIMEOUT_MILLISECONDS": "x", "REDIS_REPLICAS_BEFORE_ANSWER": "1"],
                ["REDIS_COMMAND_TIMEOUT_MILLISECONDS"]
            ), (["KEY_FILE": "", "KEY_FILES": "keys.json"], ["KEY_FILES"]),
        ] as [([String: String], [String])]
    )
    func consequences(settings: [String: String], names: [String]) {
        let failure = #expect(throws: Failure.self) { try Self.settings(settings) }
        let lines = failure?.lines ?? []
        #expect(lines.count == names.count, "\(lines)")
        for (line, name) in zip(lines, names) { #expect(line.contains("DIALTONE_\(name)"), "\(line)") }
    }

    @Test("a setting of an undeclared app or gateway is rejected with its line")
    func undeclared() {
        for (name, message) in [
            ("PROJECT_ACME_APP_IOS_BUNDLE_ID", " of a listed project or app"),
            ("GATEWAY_MAIN_SECRET", " of a listed gateway"), ("COLOR", ""),
        ] {
            let failure = Self.failure([name: "x"])
            #expect(failure?.hasSuffix(": DIALTONE_\(name) is not a setting\(message)") == true, "\(failure ?? "")")
        }
    }

    @Test(
        "a setting's name that could belong to two owners is rejected",
        arguments: [
            ["GATEWAYS": "trust", "GATEWAY_TRUST_KIND": "file", "GATEWAY_TRUST_FILE": "/tmp/messages"],
            ["PROJECTS": "acme,acme-app-x-package", "PROJECT_ACME_APPS": "x"],
        ]
    )
    func sharedNames(settings: [String: String]) {
        #expect(Self.failure(settings)?.contains("have a setting of this name; rename one of them") == true)
    }

    @Test(
        "an invalid setting of a gateway is reported in one line with its name",
        arguments: [
            (
                ["KIND": "carrier-pigeon"],
                #"KIND: "carrier-pigeon" is not one of twilio, vonage, twilio-voice, whatsapp, smtp, webhook, file, "#
                    + "http, africastalking, aliyun, azure, bird, clicksend, gatewayapi, infobip, msg91, plivo, sinch, "
                    + "sns, telegram, telnyx, vonage-voice"
            ),
            (["KIND": ""], "KIND: not set, but required; for example twilio"),
            (["SECRET": "a b"], "SECRET: the secret is not 1 to 512 printable ASCII characters without spaces"),
            (["SECRET": "short"], "SECRET: the key is shorter than 32 characters"),
            (
                ["URL": "http://sms.example.com"],
                "URL: the URL is not https; only a server of yours at a loopback address may use http"
            ),
            (["RECEIPT_SECONDS": "4"], #"RECEIPT_SECONDS: "4" is not a number from 5 to 300"#),
            (
                ["KIND": "vonage", "ACCOUNT": "key", "SENDER": "Example", "RECEIPT_SECONDS": "30"],
                "RECEIPT_SECRET: not set, but required for receipts"
            ),
            (
                ["KIND": "vonage", "ACCOUNT": "key", "SENDER": "a name that is too long"],
                "SENDER: \"a name that is too long\": the sender is not a phone number, a name or a messaging service"
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
        "no error message contains a secret",
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
            ["REDIS_ADDRESS": "redis://dialtone:hunter2@127.0.0.1:6379?db=1"],
            ["REDIS_ADDRESS": "redis://dialtone:hunter2@127.0.0.1:6379", "REDIS_PASSWORD": "hunter2-other"],
            ["REDIS_ADDRESS": "redis://dialtone:hunter2"], ["REDIS_ADDRESS": "redis://:hunter2/0"],
            ["REDIS_ADDRESS": "rediss://dialtone:hunter2@"], ["REDIS_ADDRESS": "redis://a,dialtone:hunter2"],
            ["REDIS_ADDRESS": "redis://dialtone:%hunter2@host"], ["REDIS_ADDRESS": "http://dialtone:hunter2"],
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

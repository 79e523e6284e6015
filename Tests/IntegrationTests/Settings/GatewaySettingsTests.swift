import SMSGateways
import Cryptography
import PhoneAuth
import Processes
import Testing
import TestServers

@testable import dialtone

/// The settings of gateways: which of them have an effect, and what is wrong with them.
@Suite struct GatewaySettingsTests {
    private static let key = "0123456789abcdef0123456789abcdef"
    private static let accountSID = "AC" + key
    private static let kinds: [String: [String: String]] = [
        "twilio": ["ACCOUNT": accountSID, "SECRET": "token", "SENDER": "Example"],
        "vonage": ["ACCOUNT": "key", "SECRET": "secret", "SENDER": "Example"],
        "webhook": ["SECRET": key, "URL": "https://sms.example.com"],
        "file": ["FILE": "/tmp/messages"],
        "http": ["URL": "https://sms.example.com/v1", "BODY": #"{"to":"{to}","text":"{text}"}"#],
        "plivo": ["ACCOUNT": "user", "SECRET": "token", "SENDER": "Example"],
        "twilio-voice": ["ACCOUNT": accountSID, "SECRET": "token", "SENDER": "+16505550100"],
        "whatsapp": ["ACCOUNT": "106540352242922", "SECRET": "token", "TEMPLATE": "login_code"],
        "infobip": ["URL": "https://sms.example.com", "SECRET": "token", "SENDER": "Example"],
        "msg91": ["SECRET": "token", "TEMPLATE": "id"],
    ]

    private static func settings(
        _ kind: String,
        _ more: [String: String],
        receiptURL: String? = "https://auth.example.com"
    ) -> SettingsSource {
        let gateway = ["KIND": kind].merging(kinds[kind] ?? [:]) { $1 }.merging(more) { $1 }
        var all = Dictionary(uniqueKeysWithValues: gateway.map { ("GATEWAY_MAIN_\($0.key)", $0.value) })
        all.merge([
            "PROJECTS": "acme", "PROJECT_ACME_API_KEYS": "key", "REDIS_ADDRESS": "unix:/run/redis.sock",
            "KEY_FILE": "/etc/dialtone/keys.json", "GATEWAYS": "main",
        ]) { $1 }
        all["RECEIPT_URL"] = receiptURL
        let environment = Dictionary(uniqueKeysWithValues: all.map { ("DIALTONE_\($0.key)", $0.value) })
        do {
            return try SettingsSource(file: nil, environment: environment)
        } catch {
            fatalError("\(error)")
        }
    }

    private static func failure(_ kind: String, _ more: [String: String]) -> [String]? {
        #expect(throws: Failure.self) { try Settings(settings(kind, more)) }?.lines
    }

    @Test("the time to wait for receipts is one fault for a provider without receipts")
    func noReceipts() {
        let lines = Self.failure("msg91", ["RECEIPT_SECONDS": "30"])
        #expect(lines?.count == 1 && lines?[0].contains("has no effect because DIALTONE_GATEWAY_MAIN_KIND") == true)
    }

    @Test(
        "a setting that gateways of other kinds have is rejected",
        arguments: [
            ("webhook", ["ACCOUNT", "KEY_ID", "FILE", "RECEIPT_SECRET", "RECEIPT_PROOF"]),
            ("file", ["ACCOUNT", "KEY_ID", "SECRET", "SENDER", "URL", "RECEIPT_SECONDS", "RECEIPT_SECRET"]),
            ("vonage", ["KEY_ID", "FILE", "PREVIOUS_SECRET"]),
            ("twilio", ["FILE", "RECEIPT_PROOF", "PREVIOUS_SECRET", "BODY"]),
            ("http", ["FILE", "RECEIPT_PROOF", "PREVIOUS_SECRET"]), ("plivo", ["TEMPLATE", "BODY", "RECEIPT_STATE"]),
            ("msg91", ["ACCOUNT", "SENDER", "RECEIPT_SECONDS", "RECEIPT_SECRET"]),
        ]
    )
    func otherKinds(kind: String, names: [String]) {
        for name in names {
            let value = ["RECEIPT_SECONDS": "30", "RECEIPT_PROOF": "token"][name] ?? Self.key
            let receipts = ["RECEIPT_SECONDS": "30", "RECEIPT_SECRET": Self.key]
            let lines = Self.failure(kind, receipts.merging([name: value]) { $1 }) ?? []
            let line = lines.first { $0.hasPrefix("DIALTONE_GATEWAY_MAIN_\(name): ") }
            let reason = "has no effect because DIALTONE_GATEWAY_MAIN_KIND is \(kind); remove it"
            #expect(line?.hasSuffix(reason) == true, "\(lines)")
        }
    }

    @Test("a provider's template determines which settings are required")
    func recipes() throws {
        for (kind, settings) in Self.kinds where ["plivo", "infobip", "msg91"].contains(kind) {
            _ = try Settings(Self.settings(kind, [:]))
            for name in settings.keys {
                let lines = Self.failure(kind, [name: ""]) ?? []
                #expect(lines.count == 1 && lines[0].hasPrefix("DIALTONE_GATEWAY_MAIN_\(name): not set"), "\(lines)")
            }
        }
    }

    @Test("each provider has a valid template", arguments: GatewayValues.Kind.allCases.filter { $0.recipe != nil })
    func providers(kind: GatewayValues.Kind) throws {
        let template = try #require(kind.recipe)
        var settings = template.needsServer ? ["URL": "https://sms.example.com"] : [:]
        let accounts: [GatewayValues.Kind: String] = [
            .twilio: Self.accountSID, .twilioVoice: Self.accountSID, .whatsApp: "106540352242922",
        ]
        if template.needs(.account) { settings["ACCOUNT"] = accounts[kind] ?? "user" }
        if template.needs(.secret) { settings["SECRET"] = "AAECAwQF" }
        if template.needs(.sender) { settings["SENDER"] = (kind == .twilioVoice ? "+" : "") + "16505550100" }
        let folder = try TemporaryFolder()
        if template.needs(.key) {
            try folder.write(try RSAPrivateKey.generate().pem(), to: "key.pem")
            settings["KEY_FILE"] = folder.path(of: "key.pem")
            settings["RECEIPT_SECRET"] = "secret"
        }
        if template.needs(.template) { settings["TEMPLATE"] = "id" }
        let proofs = template.receiptProofs
        let hasReceipts = proofs.signature || proofs.url
        if hasReceipts {
            settings["RECEIPT_SECONDS"] = "30"
            settings["RECEIPT_SECRET"] = "secret"
        }
        let gateway = try Settings(Self.settings(kind.rawValue, settings)).gateways.gateways.first
        #expect((gateway?.receipts != nil) == hasReceipts)
    }

    @Test("a call through Vonage has a number without + and a key in a file, and its receipts have a secret")
    func vonageVoice() throws {
        let folder = try TemporaryFolder()
        try folder.write(try RSAPrivateKey.generate().pem(), to: "key.pem")
        try folder.write("no key", to: "other.pem")
        let complete = ["ACCOUNT": "app-1", "SENDER": "16505550100", "KEY_FILE": folder.path(of: "key.pem")]
        let gateway = try Settings(Self.settings("vonage-voice", complete)).gateways.gateways.first
        #expect(gateway?.channel == .voice)
        for (name, value, reason) in [
            ("SENDER", "+16505550100", #""+16505550100" is not the digits of a phone number"#),
            ("SENDER", "", "not set"), ("ACCOUNT", "", "not set"), ("KEY_FILE", "", "not set"),
            ("KEY_FILE", folder.path(of: "other.pem"), "\"\(folder.path(of: "other.pem"))\" is not an unencrypted PEM"),
            ("RECEIPT_SECONDS", "30", ""), ("SECRET", "token", "has no effect"),
        ] {
            let lines = Self.failure("vonage-voice", complete.merging([name: value]) { $1 }) ?? []
            let faulty = name == "RECEIPT_SECONDS" ? "RECEIPT_SECRET: not set" : "\(name): \(reason)"
            #expect(lines.count == 1 && lines[0].hasPrefix("DIALTONE_GATEWAY_MAIN_\(faulty)"), "\(lines)")
        }
        let telegram = try Settings(Self.settings("telegram", ["SECRET": "token"])).gateways.gateways.first
        #expect(telegram?.channel == .telegram)
    }

    static let templates: [([String: String], String)] = [
        (["URL": ""], "URL: not set"), (["BODY": ""], "BODY: not set"), (["BODY": "{"], "BODY: not a JSON document"),
        (["BODY": #"{"to":"{too}"}"#], "BODY: {too} is not a placeholder"),
        (["CONTENT": "form", "BODY": "text={text}"], "BODY: contains neither {to} nor {digits}"),
        (["METHOD": "get", "URL": "https://sms.example.com/?{to}{text}", "BODY": "", "CONTENT": "form"], "CONTENT: "),
        (["METHOD": "put"], "METHOD: "),
        (["HEADERS": "X-Key"], "HEADERS: not a list of Name: value"),
        (["HEADERS": "Host: sms.example.org"], "HEADERS: not a list of Name: value"),
        (["ERRORS": "bad=1"], "ERRORS: "),
        (["HEADERS": "X-Key: {secret}"], "SECRET: not set"), (["SECRET": "token"], "SECRET: has no effect"),
        (["SENDER": "Example"], #"SENDER: "Example": has no effect because no placeholder or authentication uses it"#),
        (
            ["AUTHENTICATION": "Bearer hidden-token"],
            "AUTHENTICATION: the value is not basic, bearer, hmac-sha256 NAME or aws-sigv4"
        ),
        (["AUTHENTICATION": "basic", "SECRET": "token"], "ACCOUNT: not set"),
        (
            ["BODY": #"{"to":"{to}","text":"{text}","hook":"{receiptURL}"}"#],
            "RECEIPT_SECONDS: not set, but required for {receiptURL}"
        ),
        (["RECEIPT_STATE": "state"], "RECEIPT_STATE: "), (["RECEIPT_SECONDS": "30"], "RECEIPT_STATE: not set"),
        (
            ["RECEIPT_SECONDS": "30", "RECEIPT_STATE": "state", "RECEIPT_DELIVERED": "ok", "RECEIPT_ID": "id"],
            "BODY: does not contain {id}"
        ),
        (
            [
                "RECEIPT_SECONDS": "30", "RECEIPT_STATE": "state", "RECEIPT_DELIVERED": "ok", "RECEIPT_ID": "id",
                "HEADERS": "X-Request-Id: {id}",
            ], "RECEIPT_SECRET: not set, but required for receipts"
        ),
    ]

    @Test("a faulty setting of a template is reported by its name", arguments: templates)
    func template(settings: [String: String], line: String) {
        let lines = Self.failure("http", settings) ?? []
        #expect(lines.count == 1 && lines[0].hasPrefix("DIALTONE_GATEWAY_MAIN_\(line)"), "\(lines)")
    }

    @Test("settings of receipts without a time to wait for them are rejected")
    func withoutReceipts() {
        for (name, value) in [("RECEIPT_SECRET", "secret"), ("RECEIPT_PROOF", "token")] {
            let lines = Self.failure("vonage", [name: value]) ?? []
            let time = "DIALTONE_GATEWAY_MAIN_RECEIPT_SECONDS"
            let reason = "has no effect because \(time) is not set; set it, or remove this"
            #expect(lines.count == 1 && lines[0].hasPrefix("DIALTONE_GATEWAY_MAIN_\(name): "), "\(lines)")
            #expect(lines.first?.hasSuffix(reason) == true, "\(lines)")
        }
    }

    @Test("receipts of a Twilio account with an API key require the auth token")
    func receiptsWithKey() throws {
        let key = ["KEY_ID": "SK\(Self.key)", "RECEIPT_SECONDS": "30"]
        let lines = Self.failure("twilio", key) ?? []
        #expect(lines.count == 1 && lines[0].hasPrefix("DIALTONE_GATEWAY_MAIN_RECEIPT_SECRET: not set"), "\(lines)")
        _ = try Settings(Self.settings("twilio", key.merging(["RECEIPT_SECRET": "token"]) { $1 }))
        _ = try Settings(Self.settings("twilio", ["RECEIPT_SECONDS": "30"]))
    }

    private static let format = "the account does not have the gateway's format"
    private static let sender = "the sender is not a phone number, a name or a messaging service"

    static let forms: [(String, String, values: [String], reason: String)] = [
        ("twilio", "ACCOUNT", ["AC12", "AC" + String(repeating: "g", count: 32), "SK\(key)"], ": \(format)"),
        ("twilio", "KEY_ID", ["SK12", "AC\(key)"], ": the key id is not SK and 32 hexadecimal digits"),
        (
            "twilio", "SENDER",
            ["SK\(key)", "MG" + String(repeating: "g", count: 32), "a name too long", "+", "+12", "1234567890123456"],
            ": \(sender)"
        ),
        ("twilio-voice", "ACCOUNT", ["AC12"], ": \(format)"),
        (
            "twilio-voice", "SENDER", ["Example", "16505550100"],
            " is not a phone number in E.164 form, such as +16505550100"
        ),
        ("vonage", "ACCOUNT", ["a&b"], ": \(format)"), ("vonage", "SENDER", ["N\u{e4}me", "MG\(key)"], ": \(sender)"),
        ("whatsapp", "ACCOUNT", ["+106"], " is not the id of a phone number: digits"),
        ("whatsapp", "TEMPLATE", ["Login"], " is not a template's name of lowercase letters, digits and _"),
        ("whatsapp", "LANGUAGES", ["en-US"], ": en-US is not a language of a template, such as en_US"),
    ]

    @Test("a value without the form of the provider's values is rejected at the start", arguments: forms)
    func form(kind: String, name: String, values: [String], reason: String) {
        for value in values {
            let lines = Self.failure(kind, [name: value])
            #expect(lines == ["DIALTONE_GATEWAY_MAIN_\(name): \(value.debugDescription)\(reason)"])
        }
    }

    @Test("a messaging service of Twilio is a sender")
    func service() throws {
        _ = try Settings(Self.settings("twilio", ["SENDER": "MG\(Self.key)", "KEY_ID": "SK\(Self.key)"]))
    }

    @Test("a receipt URL that is too long for Vonage is reported with its setting, its length and the limit")
    func longReceiptURL() throws {
        let url = "https://auth.example.com/" + String(repeating: "a", count: 60)
        let receipts = ["RECEIPT_SECONDS": "30", "RECEIPT_SECRET": "secret"]
        for (proof, query) in [("signature", ""), ("token", "?token=secret")] {
            let settings = Self.settings("vonage", receipts.merging(["RECEIPT_PROOF": proof]) { $1 }, receiptURL: url)
            let length = "\(url)/dialtone/v1/receipts/main\(query)".utf8.count
            #expect(
                #expect(throws: Failure.self) { try Settings(settings) }?.lines
                    == ["DIALTONE_RECEIPT_URL: the receipt URL of gateway main has \(length) bytes; Vonage accepts 100"]
            )
        }
    }

    @Test("a receipt URL has no query")
    func receiptURLWithQuery() {
        let settings = Self.settings("webhook", ["RECEIPT_SECONDS": "30"], receiptURL: "https://auth.example.com/?a=1")
        let lines = #expect(throws: Failure.self) { try Settings(settings) }?.lines
        #expect(lines?.first?.hasPrefix("DIALTONE_RECEIPT_URL: ") == true)
    }

    @Test("a webhook has an optional sender, and a previous key that is long enough")
    func webhook() throws {
        let previous = String(repeating: "k", count: 32)
        let settings = try Settings(Self.settings("webhook", ["SENDER": "Example", "PREVIOUS_SECRET": previous]))
        guard case .webhook(_, _, .some, let sender)? = settings.gateways.gateways.first?.kind else {
            Issue.record("not a webhook with two keys")
            return
        }
        #expect(sender == "Example")
        #expect(
            Self.failure("webhook", ["PREVIOUS_SECRET": "short"])
                == ["DIALTONE_GATEWAY_MAIN_PREVIOUS_SECRET: the key is shorter than 32 characters"]
        )
    }
}

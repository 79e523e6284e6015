import Processes
import Testing
import TestServers

@Suite("The example settings file") struct ExampleSettingsTests {
    private func example() throws -> String { try Installation.staged().read("etc/dialtone/dialtone.conf.example") }

    /// Returns the output of `dialtone config check` for these settings.
    private func check(_ settings: String) throws -> FinishedProcess {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let keys = folder.path(of: "keys.json")
        try mustSucceed(Checkout.program, ["keys", "generate", "--output", keys])
        try folder.write(settings.splitted(by: "/etc/dialtone/keys.json").joined(separator: keys), to: "dialtone.conf")
        return try FinishedProcess.run(
            Checkout.program,
            ["config", "check", "--config", folder.path(of: "dialtone.conf")]
        )
    }

    private func filledIn(_ settings: String) -> String {
        settings.splitted(by: "_API_KEYS=\n").joined(separator: "_API_KEYS=some-key\n")
            .splitted(by: "# DIALTONE_KEY_FILE=").joined(separator: "DIALTONE_KEY_FILE=")
            // An empty file of texts, because the file in the example does not exist.
            .splitted(by: "_MESSAGE_FILE=/etc/dialtone/messages.txt").joined(separator: "_MESSAGE_FILE=/dev/null")
    }

    @Test("the file in the repository equals the program's output (run make example-settings)")
    func generated() throws {
        let printed = try mustSucceed(Checkout.program, ["config", "example"]).output
        #expect(readFile("\(Checkout.folder)/systemd/dialtone.conf.example") == printed)
    }

    @Test("the unchanged example is rejected because it has no API key")
    func refused() throws {
        let checked = try check(example())
        #expect(!checked.status.isSuccess)
        #expect(checked.errors.contains("DIALTONE_PROJECT_MY_PROJECT_API_KEYS: not set, but required"))
    }

    @Test("the example is accepted with an API key and a key file")
    func accepted() throws {
        let checked = try check(filledIn(example()))
        #expect(checked.status.isSuccess, "\(checked.errors)")
    }

    @Test("each commented-out default is accepted")
    func defaults() throws {
        let certificates = try TemporaryFolder()
        defer { withExtendedLifetime(certificates) {} }
        let names = (certificate: certificates.path(of: "certificate"), key: certificates.path(of: "key"))
        try mustSucceed(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-subj", "/CN=redis", "-keyout", names.key, "-out", names.certificate,
            ]
        )
        try mustSucceed("openssl", ["genrsa", "-traditional", "-out", certificates.path(of: "rsa"), "2048"])
        let point = try mustSucceed("openssl", ["ec", "-in", names.key, "-pubout"]).output
        let publicKey = point.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        try certificates.write(
            "DECRYPTION_KEY=\(String(repeating: "A", count: 43))=\nVERIFICATION_KEY=\(publicKey)\n",
            to: "response.keys"
        )
        let pem = certificates.read("rsa").split(separator: "\n").joined(separator: "\\n")
        try certificates.write(
            #"{"client_email":"a@b.example","private_key":"\#(pem)","token_uri":"https://oauth2.example.com/token"}"#,
            to: "account.json"
        )
        try certificates.write("de.signIn.subject=Anmelden bei {app}\n", to: "mails.txt")
        var uncommented = filledIn(try example()).splitted(by: "\n# DIALTONE_").joined(separator: "\nDIALTONE_")
        #expect(uncommented != filledIn(try example()))
        // Settings for TLS and Sentinels are rejected without an address of that kind.
        for (example, value) in [
            ("redis://127.0.0.1:6379", "rediss+sentinel://127.0.0.1/main"),
            ("/etc/dialtone/redis-ca.pem", names.certificate), ("/etc/dialtone/redis-client.pem", names.certificate),
            ("/etc/dialtone/redis-client-key.pem", names.key), ("/etc/dialtone/hook-ca.pem", names.certificate),
            ("/etc/dialtone/gateway-ca.pem", names.certificate), ("/etc/dialtone/proxy-ca.pem", names.certificate),
            ("/etc/dialtone/play-integrity.keys", certificates.path(of: "response.keys")),
            ("/etc/dialtone/play-integrity.json", certificates.path(of: "account.json")),
            ("/etc/dialtone/vonage.pem", certificates.path(of: "rsa")),
            ("/etc/dialtone/mails.txt", certificates.path(of: "mails.txt")),
            ("/var/lib/dialtone/numbering.tsv", "\(Checkout.folder)/Sources/CNumberingData/numbering.tsv"),
        ] {
            uncommented = uncommented.splitted(by: "=\(example)\n").joined(separator: "=\(value)\n")
        }
        let checked = try check(uncommented)
        #expect(checked.status.isSuccess, "\(checked.errors)")
    }
}

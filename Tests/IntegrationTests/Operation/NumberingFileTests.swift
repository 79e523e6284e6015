import Encodings
import Glibc
import PhoneAuth
import PhoneNumbers
import Processes
import TestServers
import Testing

@testable import dialtone

/// Numbering data that an operator replaces while workers run.
@Suite struct NumberingFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "numbering.tsv")
    }

    /// Writes the data of the release with another version and date, and with another national format for US.
    private func write(_ version: String, _ date: String = "2026-11-07", to name: String, format: String) throws {
        let data = NumberingData.builtIn
        let text = String(decoding: data.file, as: UTF8.self)
            .replacing("\t\(data.version)\t\(data.date)\n", with: "\t\(version)\t\(date)\n")
            .replacing("\t($1) $2-$3\t\t$1-$2-$3\n", with: "\t\(format)\t\t$1-$2-$3\n")
        try folder.write(text, to: name)
    }

    private func national(_ server: RunningServer) throws -> String? {
        try server.post(
            "/v2/parsePhoneNumber",
            #"{"phoneNumber":"6505550100","regionCode":"US"}"#
        ).json.text("nationalFormat")
    }

    @Test("a new file reaches all workers without a restart; a damaged one is reported once and changes nothing")
    func replaced() throws {
        try write("9.0.1", to: "numbering.tsv", format: "$1/$2/$3")
        let server = try RunningServer(workers: 2, settings: ["NUMBERING_FILE": path])
        #expect(try national(server) == "650/555/0100")
        let shown = try server.dialtone("numbering")
        let facts = "version      9.0.1\ndate         2026-11-07\nsource       \(path)\n"
        #expect(shown.output == facts, "\(shown.errors)")

        try write("9.0.2", "2026-11-08", to: "new.tsv", format: "$1.$2.$3")
        let updated = try server.dialtone("numbering", "update", folder.path(of: "new.tsv"))
        #expect(updated.output == "\(path): numbering data 9.0.2 of 2026-11-08\n", "\(updated.errors)")
        #expect(try eventually { try (0..<8).allSatisfy { _ in try national(server) == "650.555.0100" } })

        try write("9.0.0", to: "old.tsv", format: "$1-$2-$3")
        let older = try server.dialtone("numbering", "update", folder.path(of: "old.tsv"))
        #expect(older.errors == "dialtone: 9.0.0 is older than the present 9.0.2: use --allow-older\n")

        let good = TestServers.readFile(path)
        try folder.write(String(good.prefix(good.count / 2)), to: "half.tsv")
        let half = try server.dialtone("numbering", "update", folder.path(of: "half.tsv"))
        #expect(half.status == .exited(1))
        #expect(TestServers.readFile(path) == good)

        try folder.write(String(good.prefix(good.count / 2)), to: "numbering.tsv")
        let complaint = "the numbering file cannot be used: the numbering data stay unchanged"
        #expect(eventually { server.log.ranges(of: complaint).count == 2 })
        #expect(try (0..<8).allSatisfy { _ in try national(server) == "650.555.0100" })
        let check = try server.dialtone("config", "check")
        #expect(check.status == .exited(1))
        #expect(check.errors.contains("dialtone: \(path): "), "\(check.errors)")

        // The damaged file does not keep the operator from replacing it.
        let repaired = try server.dialtone("numbering", "update", folder.path(of: "old.tsv"), "--allow-older")
        #expect(repaired.isFine, "\(repaired.errors)")
        #expect(try eventually { try (0..<8).allSatisfy { _ in try national(server) == "650-555-0100" } })
        #expect(server.log.ranges(of: complaint).count == 2)
    }

    @Test("config check, doctor and a metric report the date of the data, and warn after a year")
    func age() throws {
        try write("9.0.1", "2025-03-01", to: "numbering.tsv", format: "$1/$2/$3")
        let server = try RunningServer(workers: 1, settings: ["NUMBERING_FILE": path])
        let reminder = "the numbering data are of 2025-03-01: newer number ranges count as unknown. "
        let check = try server.dialtone("config", "check").output
        #expect(check.contains("numbering    9.0.1 of 2025-03-01 (\(path))\n"))
        #expect(check.contains("consider     \(reminder)"))
        #expect(try server.dialtone("doctor").output.contains("advice  numbering data: \(reminder)"))
        let date = try #require(Instant(utc: "2025-03-01T00:00:00Z"))
        #expect(try server.scrape()["dialtone_numbering_data_timestamp_seconds"] == Double(date.seconds))
    }

    @Test("an output that is the configured file is an update, whatever its spelling; another file is only written")
    func output() throws {
        try write("9.0.2", to: "numbering.tsv", format: "$1/$2/$3")
        try write("9.0.0", to: "old.tsv", format: "$1.$2.$3")
        try write("9.0.3", to: "new.tsv", format: "$1-$2-$3")
        let link = folder.path(of: "link.tsv")
        #expect(symlink(path, link) == 0)
        let server = try RunningServer(workers: 1, settings: ["NUMBERING_FILE": path])
        let present = TestServers.readFile(path)
        func update(_ name: String, _ output: String) throws -> FinishedProcess {
            try server.dialtone("numbering", "update", folder.path(of: name), "--output", output)
        }
        for output in [path, folder.path(of: "./numbering.tsv"), link] {
            let older = try update("old.tsv", output)
            #expect(older.errors == "dialtone: 9.0.0 is older than the present 9.0.2: use --allow-older\n")
            #expect(TestServers.readFile(path) == present)
        }
        #expect(try update("old.tsv", folder.path(of: "other.tsv")).isFine)
        #expect(TestServers.readFile(folder.path(of: "other.tsv")) == TestServers.readFile(folder.path(of: "old.tsv")))
        #expect(try server.dialtone("audit", "--kind", "operator-change").output.isEmpty)
        #expect(try update("new.tsv", link).isFine)
        #expect(TestServers.readFile(path) == TestServers.readFile(folder.path(of: "new.tsv")))
        #expect(try server.dialtone("audit", "--kind", "operator-change").output.contains("numbering update 9.0.3"))

        let keys = server.folder.read("keys.json")
        let refused = try update("new.tsv", server.folder.path(of: "keys.json"))
        #expect(refused.errors.hasSuffix("exists and is no numbering data: remove it, or choose another file\n"))
        #expect(server.folder.read("keys.json") == keys)

        let missing = folder.path(of: "missing.tsv")
        #expect(namesSameFile(missing, folder.path(of: "./missing.tsv")))
        #expect(!namesSameFile(missing, path) && !namesSameFile(missing, "/missing/missing.tsv"))
    }

    @Test(
        "regions in settings must be in the numbering data that the process uses",
        arguments: [
            "PROJECT_ACME_SMS_ALLOWED_REGIONS": "US,XA", "PROJECT_ACME_SMS_DISALLOWED_REGIONS": "XA",
            "SMS_SPEND_CAPS": "*=1;XA=2", "GATEWAY_MAIN_PRICES": "*=1; XA=2", "GATEWAY_ROUTES": "XA=main;*=main",
        ]
    )
    func regions(name: String, value: String) throws {
        let data = String(decoding: NumberingData.builtIn.file, as: UTF8.self)
        try folder.write(data.replacing("\n+247\tAC\n", with: "\n+247\tXA\n"), to: "numbering.tsv")
        func failure(_ value: String, isBuiltIn: Bool) -> String? {
            var settings = [
                "PROJECTS": "acme", "PROJECT_ACME_API_KEYS": "key", "REDIS_ADDRESS": "unix:/run/redis.sock",
                "KEY_FILE": "/etc/dialtone/keys.json", "GATEWAYS": "main", "GATEWAY_MAIN_KIND": "file",
                "GATEWAY_MAIN_FILE": "/tmp/messages", "GATEWAY_MAIN_PRICES": "*=1",
            ]
            settings[name] = value
            if !isBuiltIn { settings["NUMBERING_FILE"] = path }
            let environment = Dictionary(uniqueKeysWithValues: settings.map { ("DIALTONE_\($0.key)", $0.value) })
            do throws(Failure) {
                try Settings(SettingsSource(file: nil, environment: environment)).loadNumberingData()
                return nil
            } catch {
                return error.description
            }
        }
        let title = "\(NumberingData.builtIn.version) of \(NumberingData.builtIn.date)"
        let other = value.replacing("XA", with: "AC")
        #expect(failure(value, isBuiltIn: false) == nil)
        #expect(failure(other, isBuiltIn: true) == nil)
        for (value, code, isBuiltIn) in [(value, "XA", true), (other, "AC", false)] {
            #expect(
                failure(value, isBuiltIn: isBuiltIn)
                    == "DIALTONE_\(name): \(code) is not a region of the numbering data \(title)"
            )
        }
    }

    @Test("new numbering data that lack a region of the settings are refused")
    func lackingRegion() throws {
        try write("9.0.1", to: "numbering.tsv", format: "$1/$2/$3")
        let server = try RunningServer(
            workers: 1,
            settings: ["NUMBERING_FILE": path, "PROJECT_DEMO_DIALTONE_SMS_ALLOWED_REGIONS": "US,AC"]
        )
        let present = TestServers.readFile(path)
        let data = String(decoding: NumberingData.builtIn.file, as: UTF8.self)
        try folder.write(data.replacing("\n+247\tAC\n", with: "\n+247\tXA\n"), to: "new.tsv")
        let refused = try server.dialtone("numbering", "update", folder.path(of: "new.tsv"))
        #expect(refused.errors.contains("SMS_ALLOWED_REGIONS: AC is not a region of the numbering data"))
        #expect(TestServers.readFile(path) == present)
    }
}

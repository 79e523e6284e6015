import Encodings
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
        #expect(shown.output == "version  9.0.1\ndate     2026-11-07\nsource   \(path)\n", "\(shown.errors)")

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

}

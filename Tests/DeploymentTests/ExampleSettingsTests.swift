import Processes
import Testing
import TestServers

@Suite("The example of settings") struct ExampleSettingsTests {
    private func example() throws -> String { try Installation.staged().read("etc/dialtone/dialtone.conf.example") }

    /// The answer of `dialtone config check` to these settings.
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
            // A file of no texts, because the example's is not there.
            .splitted(by: "_MESSAGE_FILE=/etc/dialtone/messages.txt").joined(separator: "_MESSAGE_FILE=/dev/null")
    }

    @Test("as it stands it is refused: nobody serves with an API key that everybody knows")
    func refused() throws {
        let checked = try check(example())
        #expect(!checked.status.isSuccess)
        #expect(checked.errors.contains("DIALTONE_PROJECT_MY_PROJECT_API_KEYS: expected at least one API key"))
    }

    @Test("with an API key and a key file it is accepted")
    func accepted() throws {
        let checked = try check(filledIn(example()))
        #expect(checked.status.isSuccess, "\(checked.errors)")
    }

    @Test("each commented-out default is accepted, too")
    func defaults() throws {
        let uncommented = filledIn(try example()).splitted(by: "\n# DIALTONE_").joined(separator: "\nDIALTONE_")
        #expect(uncommented != filledIn(try example()))
        let checked = try check(uncommented)
        #expect(checked.status.isSuccess, "\(checked.errors)")
    }

    @Test("it names every setting, and nothing else")
    func complete() throws {
        let named = try example().split(separator: "\n").compactMap { line -> String? in
            let assignment = line.hasPrefix("# DIALTONE_") ? line.dropFirst(2) : line
            guard assignment.hasPrefix("DIALTONE_") else { return nil }
            return assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).first.map(
                String.init
            )
        }
        #expect(named.count == Set(named).count, "none stands twice")
        // It shows an app of each platform and each kind of credential, and a gateway of each kind.
        let ofOneEach = named.map { name in
            let ofOneApp = ["_APP_OLD_", "_APP_ANDROID_"].reduce(name) {
                $0.splitted(by: $1).joined(separator: "_APP_IOS_")
            }
            return ["_SECOND_", "_OWN_", "_TRIAL_"].reduce(ofOneApp) {
                $0.splitted(by: "_GATEWAY" + $1).joined(separator: "_GATEWAY_MAIN_")
            }
        }
        #expect(Set(ofOneEach) == knownNames())
    }

    /// The names in the program's own table, as they stand in a file.
    private func knownNames() -> Set<String> {
        let source = readFile("\(Checkout.folder)/Sources/dialtone/Settings/SettingName.swift")
        let tables = source.splitted(by: "private static let ")
        var names: Set<String> = []
        for table in tables.dropFirst() {
            let prefix =
                table.hasPrefix("gatewaySettings")
                ? "DIALTONE_GATEWAY_MAIN_"
                : "DIALTONE_PROJECT_MY_PROJECT_" + (table.hasPrefix("appSettings") ? "APP_IOS_" : "")
            for text in table.splitted(by: "\"").enumerated().filter({ $0.offset % 2 == 1 }).map(\.element) {
                names.insert(text == text.uppercased() ? prefix + text : shown(text))
            }
        }
        return names
    }

    private func shown(_ key: String) -> String {
        key.reduce("DIALTONE_") { name, character in
            if character == "." { return name + "_" }
            return name + (character.isUppercase ? "_" : "") + character.uppercased()
        }
    }
}

import ArgumentParser

/// `dialtone version`.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")

    func run() {
        printLine(Version.text)
    }
}

/// The release version. A test compares it with the first heading of `.github/CHANGELOG.md`.
enum Version {
    static let text = "0.1.0"
}

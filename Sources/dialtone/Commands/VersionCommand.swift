import ArgumentParser

/// `dialtone version`.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")

    func run() {
        printLine(Version.text)
    }
}

/// The release version. A test compares it with the first heading of `.github/CHANGELOG.md` and with the version that
/// the client library sends.
enum Version {
    static let text = "0.1.0"
}

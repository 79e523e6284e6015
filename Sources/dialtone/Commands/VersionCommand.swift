import ArgumentParser

/// `dialtone version`.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")

    func run() {
        say(Version.text)
    }
}

/// The release version.
enum Version {
    static let text = "0.1.0"
}

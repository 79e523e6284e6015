import ArgumentParser
import PhoneAuth

/// `dialtone config`.
struct ConfigurationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check the settings, and see what the admin interface changed.",
        subcommands: [Check.self, Show.self, Reset.self]
    )

    /// `dialtone config check`: everything a worker checks at its start, without starting one.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read the settings and the key file, and say what is wrong with them."
        )

        @OptionGroup var settings: SettingsOptions

        func run() throws {
            let settings = try settings.load()
            let keys = try settings.loadKeys()
            say("projects     \(settings.projects.map(\.id).joined(separator: ", "))")
            say("listens on   \(settings.listen)")
            say("Redis        \(settings.redis)")
            let signingKeys = keys.signingKeys.current
            let signing = signingKeys.signing(at: Environment.system.now())
            say("signs with   \(signing.id) (\(signingKeys.published.count) published)")
        }
    }
}

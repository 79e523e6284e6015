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

        /// Defaults that are an operator's to decide.
        static func reminders(of project: Project) -> [String] {
            var reminders: [String] = []
            let regions = SettingName.shown("project.\(project.id).smsAllowedRegions")
            if project.isPhoneSignInEnabled, project.smsRegions == .everywhere {
                reminders.append("\(project.id) sends to every region: \(regions) limits it to those of your users")
            }
            let unassigned = SettingName.shown("project.\(project.id).smsUnassignedNumbers")
            if project.isPhoneSignInEnabled, project.sendsToUnassignedNumbers {
                reminders.append("\(project.id) sends to numbers that no region has assigned: \(unassigned)=refused")
            }
            return reminders
        }

        func run() throws {
            let settings = try settings.load()
            let keys = try settings.loadKeys()
            say("projects     \(settings.projects.map(\.id).joined(separator: ", "))")
            say("listens on   \(settings.listen)")
            say("Redis        \(settings.redis)")
            let signingKeys = keys.signingKeys.current
            let signing = signingKeys.signing(at: Environment.system.now())
            say("signs with   \(signing.id) (\(signingKeys.published.count) published)")
            for project in settings.projects {
                for reminder in Self.reminders(of: project) { say("consider     \(reminder)") }
            }
        }
    }
}

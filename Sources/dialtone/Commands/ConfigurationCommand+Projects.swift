import ArgumentParser
import PhoneAuth

extension ConfigurationCommand {
    /// `dialtone config show`: the changes that operators made over the admin interface.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what the admin interface changed of a project, in place of the settings."
        )

        @OptionGroup var options: ProjectOptions

        func run() throws {
            let (authenticator, project) = try options.open()
            do {
                for path in try authenticator.configuration(of: project).changedPaths { say(path) }
            } catch {
                throw Failure("\(error)")
            }
        }
    }

    /// `dialtone config reset`: discards these changes, so that the settings apply again.
    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take back what the admin interface changed of a project, but for test numbers.",
            discussion: "Workers follow within a second."
        )

        @OptionGroup var options: ProjectOptions

        func run() throws {
            let (authenticator, project) = try options.open()
            do {
                try authenticator.resetConfiguration(of: project)
            } catch {
                throw Failure("\(error)")
            }
        }
    }
}

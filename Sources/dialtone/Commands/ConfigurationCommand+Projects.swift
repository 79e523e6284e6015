import ArgumentParser
import PhoneAuth

extension ConfigurationCommand {
    /// `dialtone config show`: the changes that operators made over the admin interface.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the settings of a project that were changed through the admin interface."
        )

        @OptionGroup var options: ProjectOptions

        func run() throws {
            let operation = try options.open()
            do {
                for path in try operation.configuration().changedPaths { printLine(path) }
            } catch {
                throw Failure("\(error)")
            }
        }
    }

    /// `dialtone config reset`: discards these changes, so that the settings apply again.
    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Discard a project's changes made through the admin interface, except test numbers.",
            discussion: "Workers use the settings again within a second."
        )

        @OptionGroup var options: ProjectOptions

        func run() throws {
            let operation = try options.open()
            do {
                try operation.resetConfiguration()
            } catch {
                throw Failure("\(error)")
            }
        }
    }
}

import ArgumentParser
import Glibc

/// The command line: one binary for every process of a deployment.
@main
struct Dialtone: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dialtone",
        abstract: "Phone-number verification and sign-in that speaks Firebase Authentication's wire protocol.",
        version: Version.text,
        subcommands: [
            DevelopmentCommand.self, WorkerCommand.self, KeysCommand.self, TestNumbersCommand.self,
            ConfigurationCommand.self, VersionCommand.self,
        ]
    )

    /// Errors of ours are one line; those of the argument parser come with their usage.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let failure as Failure {
            writeToStandardError("dialtone: \(failure.description)\n")
            Glibc.exit(1)
        } catch {
            exit(withError: error)
        }
    }
}

/// Why a command ends, in one line that says what is wrong and where.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

enum Version {
    static let text = "0.1.0"
}

func writeToStandardError(_ text: String) {
    writeAll(Array(text.utf8), to: STDERR_FILENO)
}

/// Writes a text to standard output at once, also into a pipe.
func say(_ text: String) {
    writeAll(Array((text + "\n").utf8), to: STDOUT_FILENO)
}

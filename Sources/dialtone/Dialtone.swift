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
            DevelopmentCommand.self, WorkerCommand.self, DispatcherCommand.self, KeysCommand.self,
            UsersCommand.self, TestNumbersCommand.self, AdminTokensCommand.self, LimitsCommand.self, SMSCommand.self,
            PushReceiptsCommand.self, DoctorCommand.self,
            OutboxCommand.self, ExplainCommand.self, AuditCommand.self,
            ConfigurationCommand.self,
            VersionCommand.self,
        ]
    )

    /// Returns the words of a command line with those behind `--` that begin with one dash. The parser would take them
    /// for options, of which none begins so but `-h`; they are ids in Base64url, in which a dash is a digit.
    private static func valuesLast(_ words: ArraySlice<String>) -> [String] {
        guard !words.contains("--") else { return Array(words) }
        let isValue = { (word: String) in word.count > 2 && word.hasPrefix("-") && !word.hasPrefix("--") }
        let values = words.filter(isValue)
        return words.filter { !isValue($0) } + (values.isEmpty ? [] : ["--"] + values)
    }

    /// Prints each line of Dialtone's own errors after the program's name; those of the argument parser include the
    /// usage.
    static func main() {
        // A closed standard output becomes a failed write instead of a SIGPIPE that kills an import halfway.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot(valuesLast(CommandLine.arguments.dropFirst()))
            try command.run()
        } catch let failure as Failure {
            writeToStandardError(failure.lines.map { "dialtone: \($0)\n" }.joined())
            Glibc.exit(1)
        } catch {
            exit(withError: error)
        }
    }
}

import ArgumentParser
import Glibc
import Logging
import RedisScripts
import Reports

/// The command line: one binary for every process of a deployment.
@main
struct Dialtone: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dialtone",
        abstract: "A phone sign-in server that speaks Firebase Authentication's wire protocol.",
        discussion: """
            The exit status is 0 if everything was done, 1 if something failed or an error was found, and 64 if the \
            command line is wrong. Reasons are on standard error, on lines that begin with "dialtone: ". With --json, \
            a report is one JSON object per line; times are in milliseconds since the Unix epoch, and members without \
            a value are absent. Commands that destroy something ask on a terminal, unless --yes is given.
            """,
        version: Version.text,
        subcommands: [
            DevelopmentCommand.self, WorkerCommand.self, DispatcherCommand.self, KeysCommand.self,
            UsersCommand.self, TestNumbersCommand.self, AdminTokensCommand.self, LimitsCommand.self, SMSCommand.self,
            MailCommand.self, NumberingCommand.self, PushReceiptsCommand.self, DoctorCommand.self, RedisCommand.self,
            BackupCommand.self, RestoreCommand.self,
            OutboxCommand.self, ExplainCommand.self, AuditCommand.self,
            ConfigurationCommand.self,
            VersionCommand.self,
        ]
    )

    /// Moves arguments that begin with one dash behind `--`. They are ids in Base64url, in which a dash is a digit, but
    /// the parser would take them for options. No option except `-h` begins with a single dash.
    private static func valuesLast(_ words: ArraySlice<String>) -> [String] {
        guard !words.contains("--") else { return Array(words) }
        let isValue = { (word: String) in word.count > 2 && word.hasPrefix("-") && !word.hasPrefix("--") }
        let values = words.filter(isValue)
        return words.filter { !isValue($0) } + (values.isEmpty ? [] : ["--"] + values)
    }

    /// Runs the command line. Reasons are printed after the program's name; those of the argument parser include the
    /// usage.
    static func main() {
        // Writing to a closed standard output then fails, instead of killing an import halfway with SIGPIPE.
        signal(SIGPIPE, SIG_IGN)
        var isService = false
        do {
            var command = try parseAsRoot(valuesLast(CommandLine.arguments.dropFirst()))
            isService = command is WorkerCommand || command is DispatcherCommand
            try command.run()
            try requireOutput()
        } catch {
            let failure = error as? Failure ?? (error as? StoreUnavailable).map { Failure("\($0)") }
            guard let failure else {
                let status = exitCode(for: error)
                if status.isSuccess { exit(withError: error) }
                let text = fullMessage(for: error)
                writeToStandardError("dialtone: \(text.hasPrefix("Error: ") ? text.dropFirst(7) : text[...])\n")
                Glibc.exit(status.rawValue)
            }
            if isService {
                let log = JSONLogHandler(logLevel: .critical)
                for line in failure.lines { log.log(level: .critical, message: line) { _ in } }
            } else {
                writeToStandardError(failure.lines.map { "dialtone: \($0.escapingControls)\n" }.joined())
            }
            Glibc.exit(1)
        }
    }
}

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

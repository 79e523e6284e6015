import ArgumentParser
import PhoneAuth
import Reports

/// `dialtone sms`.
struct SMSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sms",
        abstract: "Report messages sent, codes verified and cost; clear the unverified messages of a range; test.",
        subcommands: [Report.self, Forgive.self, Test.self]
    )

    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print messages sent, codes verified and cost, by region and gateway.",
            discussion: """
                Also lists regions and prefixes with many unverified messages, a sign of SMS pumping. Above the \
                allowed number, new clients must solve a hard challenge; above 1.5 times that number, they are sent \
                no messages.

                \(ReportOptions.help(MessageReport.records))
                """
        )

        @OptionGroup var options: ProjectOptions
        @Option(help: "The number of days, including today (UTC).") var days = 1
        @Flag(help: "Print one line per prefix: the million numbers that differ in the last six digits.") var prefixes =
            false
        @Flag(help: "Print the messages of each day (UTC) first.") var daily = false
        @OptionGroup var report: ReportOptions

        func validate() throws {
            guard (1...TollFraudPolicy.ledgerDays).contains(days) else {
                throw ValidationError("--days \"\(days)\": not a number from 1 to \(TollFraudPolicy.ledgerDays)")
            }
        }

        func run() throws {
            let operation = try options.open()
            report.print(try operation.smsReport(days: days, prefixes: prefixes, daily: daily))
        }
    }

    struct Forgive: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Clear the unverified messages of a region or prefix, for example after a gateway lost messages."
        )

        @OptionGroup var options: ProjectOptions
        @Argument(help: "A region code, or a prefix as the report shows it, such as +165055.") var range: String

        func run() throws {
            let operation = try options.open()
            guard let hadAny = try operation.clearDebt(of: range) else {
                throw Failure("\"\(range)\": not a region code, or + and 4 to 11 digits")
            }
            let project = operation.project.id
            printLine(hadAny ? "cleared \(range) in \(project)" : "\(range) has no unverified messages in \(project)")
        }
    }
}

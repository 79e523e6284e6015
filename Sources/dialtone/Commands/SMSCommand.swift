import ArgumentParser
import PhoneAuth
import RedisStore

/// `dialtone sms`.
struct SMSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sms",
        abstract: "Show what messages were sent, verified and paid, or forgive numbers what they owe.",
        subcommands: [Report.self, Forgive.self]
    )

    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the ledger: messages sent, verified and paid, by region and gateway.",
            discussion: """
                Below it stand the regions and prefixes to which many messages went unanswered, with what they owe and may owe: above \
                that new clients must solve a hard challenge, and above one and a half times of it they are sent nothing.
                """
        )

        @OptionGroup var options: ProjectOptions
        @Option(help: "How many days, today's among them (UTC).") var days = 1
        @Flag(help: "A line for each prefix: the million numbers that differ in the last six digits.") var prefixes =
            false

        func validate() throws {
            guard (1...TollFraudPolicy.ledgerDays).contains(days) else {
                throw ValidationError("--days: expected a number from 1 to \(TollFraudPolicy.ledgerDays)")
            }
        }

        func run() throws {
            let (authenticator, project) = try options.open()
            do throws(StoreUnavailable) {
                let report = try authenticator.messageReport(of: project, days: days)
                say(MessageTable.header(prefixes: prefixes))
                for line in MessageTable.lines(of: report.lines, prefixes: prefixes) { say(line) }
                for debt in report.debts {
                    say("\(debt.name) owes \(debt.owed) unverified messages, \(debt.allowed) allowed")
                }
                for spending in try authenticator.spendingToday() {
                    let region = spending.region.isEmpty ? "no region" : spending.region
                    say(
                        "\(region): \(spending.spent)\(spending.cap.map { " of \($0)" } ?? "") spent today by all projects"
                    )
                }
            } catch {
                throw Failure("\(error)")
            }
        }
    }

    struct Forgive: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget what a region or prefix owes, as after messages that a gateway lost."
        )

        @OptionGroup var options: ProjectOptions
        @Argument(help: "A region's code, or a prefix as the report names it, such as +165055.") var range: String

        func run() throws {
            let (authenticator, project) = try options.open()
            let hadAny: Bool?
            do {
                hadAny = try authenticator.forgetDebt(of: range, in: project)
            } catch {
                throw Failure("\(error)")
            }
            guard let hadAny else { throw Failure("expected a region's code or + and 4 to 11 digits") }
            say(hadAny ? "forgave \(range) in \(project.id)" : "\(range) owes nothing in \(project.id)")
        }
    }
}

/// The report as lines of totals in columns.
private enum MessageTable {
    static func header(prefixes: Bool) -> String {
        row("region", prefixes ? "prefix" : nil, "gateway", "sent", "verified", "", "spent")
    }

    /// Returns the lines by region, the most expensive first, and by gateway within each region.
    static func lines(of lines: [MessageReport.Line], prefixes: Bool) -> [String] {
        struct Place: Hashable {
            let region: String
            let prefix: String?
            let gateway: String
        }
        let grouped = Dictionary(grouping: lines) { line in
            Place(region: line.region, prefix: prefixes ? line.prefix ?? "unknown" : nil, gateway: line.gateway)
        }
        let sums = grouped.mapValues(Sum.init).sorted { left, right in
            (right.value.spent, right.value.sent, left.key.region, left.key.prefix ?? "", left.key.gateway)
                < (left.value.spent, left.value.sent, right.key.region, right.key.prefix ?? "", right.key.gateway)
        }
        let rows = sums.map { place, sum in
            sum.row(
                place.region.isEmpty ? "none" : place.region,
                place.prefix,
                place.gateway.isEmpty ? "-" : place.gateway
            )
        }
        return rows + [Sum(lines).row("all", prefixes ? "" : nil, "")]
    }

    private struct Sum {
        let sent: Int64
        let verified: Int64
        let spent: Money

        init(_ lines: [MessageReport.Line]) {
            sent = lines.reduce(0) { $0 + $1.sent }
            verified = lines.reduce(0) { $0 + $1.verified }
            spent = lines.reduce(.zero) { $0 + $1.spent }
        }

        func row(_ region: String, _ prefix: String?, _ gateway: String) -> String {
            let share = sent > 0 ? "\(verified * 100 / sent) %" : ""
            return MessageTable.row(region, prefix, gateway, "\(sent)", "\(verified)", share, "\(spent)")
        }
    }

    private static func row(
        _ region: String,
        _ prefix: String?,
        _ gateway: String,
        _ sent: String,
        _ verified: String,
        _ share: String,
        _ spent: String
    ) -> String {
        left(region, 8) + (prefix.map { left($0, 12) } ?? "") + left(gateway, 14) + right(sent, 9) + right(verified, 10)
            + right(share, 7) + right(spent, 13)
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

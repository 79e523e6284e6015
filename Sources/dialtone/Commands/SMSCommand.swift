import ArgumentParser
import PhoneAuth

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
                """
        )

        @OptionGroup var options: ProjectOptions
        @Option(help: "The number of days, including today (UTC).") var days = 1
        @Flag(help: "Print one line per prefix: the million numbers that differ in the last six digits.") var prefixes =
            false

        func validate() throws {
            guard (1...TollFraudPolicy.ledgerDays).contains(days) else {
                throw ValidationError("--days \"\(days)\": not a number from 1 to \(TollFraudPolicy.ledgerDays)")
            }
        }

        func run() throws {
            let operation = try options.open()
            let report = try operation.messageReport(days: days)
            for line in MessageTable(of: report.lines, prefixes: prefixes).rows { printLine(line) }
            for debt in report.debts {
                printLine("\(debt.name) has \(debt.owed) unverified messages, \(debt.allowed) allowed")
            }
            for spending in try operation.spendingToday() {
                printLine(
                    "\(spending.region): \(spending.spent)\(spending.cap.map { " of \($0)" } ?? "") "
                        + "spent today"
                )
            }
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
            let hadAny = try operation.clearDebt(of: range)
            guard let hadAny else { throw Failure("\"\(range)\": not a region code, or + and 4 to 11 digits") }
            printLine(
                hadAny
                    ? "cleared \(range) in \(operation.project.id)"
                    : "\(range) has no unverified messages in \(operation.project.id)"
            )
        }
    }
}

/// The report as lines of totals in columns.
private struct MessageTable {
    /// The header, the lines by region, the most expensive first, and by gateway within each region, and the total.
    let rows: [String]

    init(of lines: [MessageReport.Line], prefixes: Bool) {
        struct Place: Hashable {
            let region: String
            let prefix: String?
            let gateway: String
        }
        let grouped = Dictionary(grouping: lines) { line in
            Place(
                region: line.isUnknown ? "\(line.region), unknown range" : line.region,
                prefix: prefixes ? line.prefix ?? "unknown" : nil,
                gateway: line.gateway
            )
        }
        let sums = grouped.mapValues(Sum.init).sorted { left, right in
            (right.value.spent, right.value.sent, left.key.region, left.key.prefix ?? "", left.key.gateway)
                < (left.value.spent, left.value.sent, right.key.region, right.key.prefix ?? "", right.key.gateway)
        }
        let width = 2 + (["region"] + sums.map(\.key.region)).reduce(0) { max($0, $1.count) }
        func row(_ region: String, _ prefix: String?, _ gateway: String, _ sum: Sum) -> String {
            Self.row(width, region, prefix, gateway, "\(sum.sent)", "\(sum.verified)", sum.share, "\(sum.spent)")
        }
        rows =
            [Self.row(width, "region", prefixes ? "prefix" : nil, "gateway", "sent", "verified", "", "spent")]
            + sums.map { place, sum in
                row(place.region, place.prefix, place.gateway.isEmpty ? "-" : place.gateway, sum)
            }
            + [row("all", prefixes ? "" : nil, "", Sum(lines))]
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

        var share: String { sent > 0 ? "\(verified * 100 / sent) %" : "" }
    }

    private static func row(
        _ width: Int,
        _ region: String,
        _ prefix: String?,
        _ gateway: String,
        _ sent: String,
        _ verified: String,
        _ share: String,
        _ spent: String
    ) -> String {
        left(region, width) + (prefix.map { left($0, 12) } ?? "") + left(gateway, 14) + right(sent, 9)
            + right(verified, 10) + right(share, 7) + right(spent, 13)
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

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

                \(ReportOptions.help(MessageTotal.self, MessageReport.Debt.self, RegionSpending.self))
                """
        )

        @OptionGroup var options: ProjectOptions
        @Option(help: "The number of days, including today (UTC).") var days = 1
        @Flag(help: "Print one line per prefix: the million numbers that differ in the last six digits.") var prefixes =
            false
        @OptionGroup var report: ReportOptions

        func validate() throws {
            guard (1...TollFraudPolicy.ledgerDays).contains(days) else {
                throw ValidationError("--days \"\(days)\": not a number from 1 to \(TollFraudPolicy.ledgerDays)")
            }
        }

        func run() throws {
            let operation = try options.open()
            let messages = try operation.messageReport(days: days)
            let totals = MessageTotal.totals(of: messages.lines, prefixes: prefixes)
            for total in totals { report.print(total, []) }
            for line in MessageTotal.table(of: totals, messages.lines, prefixes: prefixes) { report.printTitle(line) }
            for debt in messages.debts {
                report.print(debt, ["\(debt.name) has \(debt.owed) unverified messages, \(debt.allowed) allowed"])
            }
            for spending in try operation.spendingToday() {
                let cap = spending.cap.map { " of \($0)" } ?? ""
                report.print(spending, ["\(spending.region): \(spending.spent)\(cap) spent today"])
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

extension MessageReport.Debt: ReportRecord {
    static let type = "debt"
    static var members: ReportMembers<Self> {
        ["range": { $0.name }, "unverified": { $0.owed }, "allowed": { $0.allowed }]
    }
}

extension RegionSpending: ReportRecord {
    static let type = "spending"
    static var members: ReportMembers<Self> {
        ["region": { $0.region }, "spentToday": { "\($0.spent)" }, "cap": { $0.cap.map { "\($0)" } }]
    }
}

/// The messages of a gateway to a region or, in a report by prefix, to a prefix.
private struct MessageTotal: ReportRecord {
    let region: String
    let isUnknown: Bool
    let prefix: String?
    let gateway: String
    let sent: Int64
    let verified: Int64
    let spent: Money

    static let type = "total"
    static var members: ReportMembers<Self> {
        [
            "region": { $0.region }, "unknownRange": { $0.isUnknown }, "prefix": { $0.prefix },
            "gateway": { $0.gateway.isEmpty ? String?.none : $0.gateway }, "sent": { $0.sent },
            "verified": { $0.verified }, "spent": { "\($0.spent)" },
        ]
    }

    private var title: String { isUnknown ? "\(region), unknown range" : region }

    /// Adds lines of one place up. Without lines, the total is that of no place.
    private init(_ lines: [MessageReport.Line], prefixes: Bool) {
        region = lines.first?.region ?? ""
        isUnknown = lines.first?.isUnknown ?? false
        prefix = prefixes ? lines.first?.prefix : nil
        gateway = lines.first?.gateway ?? ""
        sent = lines.reduce(0) { $0 + $1.sent }
        verified = lines.reduce(0) { $0 + $1.verified }
        spent = lines.reduce(.zero) { $0 + $1.spent }
    }

    /// Returns the totals by region, the most expensive first, and by gateway within each region.
    static func totals(of lines: [MessageReport.Line], prefixes: Bool) -> [MessageTotal] {
        Dictionary(grouping: lines) { [$0.region, "\($0.isUnknown)", prefixes ? $0.prefix ?? "" : "", $0.gateway] }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { MessageTotal($1, prefixes: prefixes) }
            .sorted { ($0.spent, $0.sent) > ($1.spent, $1.sent) }
    }

    /// Returns the totals as lines in columns, with a header and the total of all.
    static func table(of totals: [MessageTotal], _ lines: [MessageReport.Line], prefixes: Bool) -> [String] {
        let width = 2 + (["region"] + totals.map(\.title)).reduce(0) { max($0, $1.count) }
        func row(_ title: String, _ prefix: String, _ gateway: String, _ total: MessageTotal) -> String {
            let share = total.sent > 0 ? "\(total.verified * 100 / total.sent) %" : ""
            let columns = [gateway, "\(total.sent)", "\(total.verified)", share, "\(total.spent)"]
            return Self.row(width, title, prefixes ? prefix : nil, columns)
        }
        return [Self.row(width, "region", prefixes ? "prefix" : nil, ["gateway", "sent", "verified", "", "spent"])]
            + totals.map { row($0.title, $0.prefix ?? "unknown", $0.gateway.isEmpty ? "-" : $0.gateway, $0) }
            + [row("all", "", "", MessageTotal(lines, prefixes: false))]
    }

    private static func row(_ width: Int, _ region: String, _ prefix: String?, _ columns: [String]) -> String {
        left(region, width) + (prefix.map { left($0, 12) } ?? "") + left(columns[0], 14)
            + zip(columns.dropFirst(), [9, 10, 7, 13]).map(right).joined()
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

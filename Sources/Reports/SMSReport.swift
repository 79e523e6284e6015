internal import Encodings
package import PhoneAuth
internal import RedisScripts

extension MessageReport {
    /// The types of the records of ``OperationContext/smsReport(days:prefixes:daily:)``.
    package static var records: [any ReportRecord.Type] {
        [MessageTotal.self, MessageReport.Debt.self, RegionSpending.self]
    }
}

extension OperationContext {
    /// Returns the messages of the last `days` days by region and gateway, and if `prefixes` by prefix, if `daily` also
    /// for each day; then the debts of ranges and the spending of today.
    /// - Throws: ``StoreUnavailable``.
    package func smsReport(days: Int, prefixes: Bool = false, daily: Bool = false) throws(StoreUnavailable) -> Report {
        var report = Report()
        if daily {
            for (day, lines) in try dailyMessages(days: days) {
                let date = String(day.utc.prefix(10))
                let totals = MessageTotal.totals(of: lines, prefixes: prefixes, on: date)
                for total in totals { report.add(total) }
                if totals.isEmpty { continue }
                report.add(lines: [date] + MessageTotal.table(of: totals, lines, prefixes: prefixes) + [""])
            }
        }
        let messages = try messageReport(days: days)
        let totals = MessageTotal.totals(of: messages.lines, prefixes: prefixes)
        for total in totals { report.add(total) }
        report.add(lines: MessageTotal.table(of: totals, messages.lines, prefixes: prefixes))
        for debt in messages.debts {
            report.add(debt, ["\(debt.name) has \(debt.owed) unverified messages, \(debt.allowed) allowed"])
        }
        for spending in try spendingToday() {
            let cap = spending.cap.map { " of \($0)" } ?? ""
            report.add(spending, ["\(spending.region): \(spending.spent)\(cap) spent today"])
        }
        return report
    }
}

extension MessageReport.Debt: ReportRecord {
    package static let type = "debt"
    package static var members: ReportMembers<Self> {
        ["range": { $0.name }, "unverified": { $0.owed }, "allowed": { $0.allowed }]
    }
}

extension RegionSpending: ReportRecord {
    package static let type = "spending"
    package static var members: ReportMembers<Self> {
        ["region": { $0.region }, "spentToday": { "\($0.spent)" }, "cap": { $0.cap.map { "\($0)" } }]
    }
}

/// The messages of a gateway to a region or, in a report by prefix, to a prefix; of one day or of all. Without lines,
/// it is the total of no place.
private struct MessageTotal: ReportRecord {
    let lines: [MessageReport.Line]
    var showsPrefix = false
    var day: String?

    static let type = "total"
    static var members: ReportMembers<Self> {
        [
            "day": { $0.day }, "region": { $0.place?.region }, "unknownRange": { $0.place?.isUnknown },
            "prefix": { $0.prefix }, "gateway": { $0.gateway.isEmpty ? String?.none : $0.gateway },
            "channel": { $0.channel?.rawValue }, "sent": { $0.sent }, "verified": { $0.verified },
            "spent": { "\($0.spent)" },
        ]
    }

    private var place: MessageReport.Line? { lines.first }
    private var prefix: String? { showsPrefix ? place?.prefix : nil }
    private var gateway: String { place?.gateway ?? "" }
    private var channel: MessageChannel? { place?.channel }
    private var sent: Int64 { lines.reduce(0) { $0 + $1.sent } }
    private var verified: Int64 { lines.reduce(0) { $0 + $1.verified } }
    private var spent: Money { lines.reduce(.zero) { $0 + $1.spent } }

    /// The gateway, with its channel if it sends no text messages.
    private var gatewayTitle: String {
        guard !gateway.isEmpty else { return "-" }
        return channel.flatMap { $0 == .sms ? nil : "\(gateway) (\($0.rawValue))" } ?? gateway
    }

    private var title: String { place.map { $0.isUnknown ? "\($0.region), unknown range" : $0.region } ?? "" }

    /// Returns the totals by region, the most expensive first, and by gateway within each region.
    static func totals(of lines: [MessageReport.Line], prefixes: Bool, on day: String? = nil) -> [MessageTotal] {
        Dictionary(grouping: lines) { [$0.region, "\($0.isUnknown)", prefixes ? $0.prefix ?? "" : "", $0.gateway] }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { MessageTotal(lines: $1, showsPrefix: prefixes, day: day) }
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
            + totals.map { row($0.title, $0.prefix ?? "unknown", $0.gatewayTitle, $0) }
            + [row("all", "", "", MessageTotal(lines: lines))]
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

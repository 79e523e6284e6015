public import Encodings
public import RedisScripts

/// The messages that were sent and verified, and their cost, by region, series and gateway.
public struct MessageReport: Sendable {
    /// The messages of one gateway to one series of a region.
    public struct Line: Sendable {
        /// The region code.
        public let region: String
        /// Whether the numbering data did not know the numbers when the messages were sent: an unknown range.
        public let isUnknown: Bool
        /// The common prefix of the series' million numbers; nil if it is unknown.
        public let prefix: String?
        /// The gateway; empty for messages that were verified before their gateway was recorded.
        public let gateway: String
        /// The gateway's channel; nil if the settings no longer have the gateway.
        public let channel: MessageChannel?
        /// The number of messages sent.
        public let sent: Int64
        /// The number of messages whose session was verified with the correct code.
        public let verified: Int64
        /// The cost of the messages.
        public let spent: Money
    }

    /// A region or series whose debt exceeds half of its allowance.
    public struct Debt: Sendable {
        /// The region code, or the common prefix of the series' numbers.
        public let name: String
        /// The number of messages that were neither verified nor offset by correct codes.
        public let owed: Int
        /// The allowance: the debt above which sends to new clients are stepped up.
        public let allowed: Int
    }

    /// The lines, in no particular order.
    public let lines: [Line]
    /// The ranges of the lines that are close to being stepped up, or are stepped up.
    public let debts: [Debt]
}

/// A project's spending of today on a region.
public struct RegionSpending: Sendable {
    /// The region code.
    public let region: String
    /// The amount that was spent. Messages in the outbox count.
    public let spent: Money
    /// The spending cap; nil if there is none.
    public let cap: Money?
}

/// Reports on SMS pumping that operators can inspect, and debts that they can reset.
extension OperationContext {
    /// Returns the messages of the last `days` days, including today; ``TollFraudPolicy/ledgerDays`` at most.
    /// - Throws: ``StoreUnavailable``.
    public func messageReport(days: Int) throws(StoreUnavailable) -> MessageReport {
        let ledger = try store.ledger(of: project.id, days: days, now: now.milliseconds)
        var debts: [MessageReport.Debt] = []
        for region in Set(ledger.map(\.region)).sorted() {
            try appendDebt(.region(region, of: project.id), .region, called: region, to: &debts)
        }
        let series = Dictionary(ledger.map { ($0.series, $0) }) { first, _ in first }.values
        for line in series.sorted(by: { ($0.region, $0.series) < ($1.region, $1.series) }) {
            guard let name = name(of: line) else { continue }
            try appendDebt(.series(line.series, of: project.id), .series, called: name.text, to: &debts)
        }
        return MessageReport(lines: ledger.map(line), debts: debts)
    }

    /// Returns the messages of each of the last `days` days (UTC), the earliest first.
    /// - Throws: ``StoreUnavailable``.
    public func dailyMessages(
        days: Int
    ) throws(StoreUnavailable) -> [(day: Instant, lines: [MessageReport.Line])] {
        var daily: [(day: Instant, lines: [MessageReport.Line])] = []
        for age in (0..<days).reversed() {
            let day = now + .seconds(-86_400 * age)
            daily.append((day, try store.ledger(of: project.id, days: 1, now: day.milliseconds).map(line)))
        }
        return daily
    }

    private func line(_ line: LedgerLine) -> MessageReport.Line {
        MessageReport.Line(
            region: line.region,
            isUnknown: line.isUnknown,
            prefix: name(of: line)?.text,
            gateway: line.gateway,
            channel: policy.routing.channel(of: line.gateway),
            sent: line.sent,
            verified: line.verified,
            spent: Money(micros: line.spent)
        )
    }

    /// Resets the debt of a range: a region by its code, or a series or block by the common prefix of its numbers.
    /// - Returns: whether anything was counted; nil if `name` is not a range.
    /// - Throws: ``StoreUnavailable``; retrying is safe (idempotent).
    public func clearDebt(of name: String) throws(StoreUnavailable) -> Bool? {
        if name.utf8.count <= 3, !name.hasPrefix("+") {
            try recordChange("sms forgive \(name)")
            return try store.forgetRange(.region(name, of: project.id))
        }
        guard let prefix = RangePrefix(name) else { return nil }
        try recordChange("sms forgive \(name)")
        let hash = prefix.hash(in: project.id, keys)
        let hadSeries = try store.forgetRange(.series(hash, of: project.id))
        let hadBlock = try store.forgetRange(.block(hash, of: project.id))
        return hadSeries || hadBlock
    }

    private func name(of line: LedgerLine) -> RangePrefix? {
        line.sealedSeries.flatMap { RangePrefix(sealed: $0, in: project.id, keys) }
    }

    private func appendDebt(
        _ range: NumberRange,
        _ kind: RangeKind,
        called name: String,
        to debts: inout [MessageReport.Debt]
    ) throws(StoreUnavailable) {
        let bounds = policy.tollFraud.bounds
        let owed = try store.debt(of: range, bounds, now: now.milliseconds)
        let allowed = bounds.allowance(kind)
        if owed * 2 > allowed { debts.append(MessageReport.Debt(name: name, owed: owed, allowed: allowed)) }
    }
}

extension OperationContext {
    /// Returns the project's spending of today (UTC).
    /// - Throws: ``StoreUnavailable``.
    public func spendingToday() throws(StoreUnavailable) -> [RegionSpending] {
        try store.spending(of: project.id, now: now.milliseconds).sorted { $0.key < $1.key }.map { region, spent in
            RegionSpending(
                region: region,
                spent: Money(micros: spent),
                cap: policy.tollFraud.prices.cap(for: region)
            )
        }
    }
}

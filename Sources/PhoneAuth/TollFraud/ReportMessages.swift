public import RedisStore

/// What was sent, verified and spent, by region, series and gateway.
public struct MessageReport: Sendable {
    /// One line: what a gateway sent to a series of a region.
    public struct Line: Sendable {
        /// The region's code; empty for numbers of none.
        public let region: String
        /// What the series' million numbers begin with; nil where its name is not known.
        public let prefix: String?
        /// The gateway; empty for messages that were verified before it was known who sent them.
        public let gateway: String
        /// How many messages were sent …
        public let sent: Int64
        /// … how many of them for sessions whose code was typed in …
        public let verified: Int64
        /// … and what they cost.
        public let spent: Money
    }

    /// A region or a series of which more is owed than a half of what may be.
    public struct Debt: Sendable {
        /// The region's code, or what the series' numbers begin with.
        public let name: String
        /// How many messages were not verified nor made up for.
        public let owed: Int
        /// How many may be, before sends to new clients are stepped up.
        public let allowed: Int
    }

    /// What was sent; in no order.
    public let lines: [Line]
    /// The ranges among those that are near being stepped up, or beyond.
    public let debts: [Debt]
}

/// What was spent on a region today, by all projects.
public struct RegionSpending: Sendable {
    /// The region's code; empty for numbers of none.
    public let region: String
    /// What was spent and is reserved …
    public let spent: Money
    /// … of this; nil where there is no bound.
    public let cap: Money?
}

/// What an operator may look at and undo.
extension Authenticator {
    /// What was sent in the last `days` days, today's among them, ``TollFraudPolicy/ledgerDays`` at most.
    /// - Throws: ``StoreUnavailable``.
    public func messageReport(of project: Project, days: Int) throws(StoreUnavailable) -> MessageReport {
        let now = environment.now().milliseconds
        let ledger = try store.ledger(of: project.id, days: days, now: now)
        let lines = ledger.map { line in
            MessageReport.Line(
                region: line.region,
                prefix: name(of: line, in: project)?.text,
                gateway: line.gateway,
                sent: line.sent,
                verified: line.verified,
                spent: Money(micros: line.spent)
            )
        }
        var debts: [MessageReport.Debt] = []
        for region in Set(ledger.map(\.region)).sorted() {
            try appendDebt(.region, region, called: region, of: project, now, to: &debts)
        }
        let series = Dictionary(ledger.map { ($0.series, $0) }) { first, _ in first }.values
        for line in series.sorted(by: { ($0.region, $0.series) < ($1.region, $1.series) }) {
            guard let name = name(of: line, in: project) else { continue }
            try appendDebt(.series, line.series, called: name.text, of: project, now, to: &debts)
        }
        return MessageReport(lines: lines, debts: debts)
    }

    /// What was spent today, UTC, by all projects.
    /// - Throws: ``StoreUnavailable``.
    public func spendingToday() throws(StoreUnavailable) -> [RegionSpending] {
        try store.spending(now: environment.now().milliseconds).sorted { $0.key < $1.key }.map { region, spent in
            RegionSpending(
                region: region,
                spent: Money(micros: spent),
                cap: policy.tollFraud.prices.cap(for: region.isEmpty ? nil : region)
            )
        }
    }

    /// Forgets what a range owes: a region by its code, or a series or block by what its numbers begin with.
    /// - Returns: whether anything was counted; nil where `name` is no range's.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func forgetDebt(of name: String, in project: Project) throws(StoreUnavailable) -> Bool? {
        if name.utf8.count <= 3, !name.hasPrefix("+") {
            return try store.forgetRange(.region, name, of: project.id)
        }
        guard let prefix = RangePrefix(name) else { return nil }
        let hash = prefix.hash(in: project.id, keys)
        let hadSeries = try store.forgetRange(.series, hash, of: project.id)
        let hadBlock = try store.forgetRange(.block, hash, of: project.id)
        return hadSeries || hadBlock
    }

    private func name(of line: LedgerLine, in project: Project) -> RangePrefix? {
        line.sealedSeries.flatMap { RangePrefix(sealed: $0, in: project.id, keys) }
    }

    private func appendDebt(
        _ kind: RangeKind,
        _ range: String,
        called name: String,
        of project: Project,
        _ now: Int64,
        to debts: inout [MessageReport.Debt]
    ) throws(StoreUnavailable) {
        let bounds = policy.tollFraud.bounds
        let owed = try store.debt(of: kind, range, in: project.id, bounds, now: now)
        let allowed = bounds.allowance(kind)
        if owed * 2 > allowed { debts.append(MessageReport.Debt(name: name, owed: owed, allowed: allowed)) }
    }
}

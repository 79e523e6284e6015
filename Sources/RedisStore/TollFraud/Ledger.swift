internal import Redis

/// What the ledger says of a message that is finished.
public struct LedgerEntry: Sendable {
    let ranges: NumberRanges
    let sealedSeries: [UInt8]
    let price: Int64
    let rangeHalfLifeMilliseconds: Int64
    let ledgerMilliseconds: Int64

    /// Everything is needed: `price` is in millionths, and 0 where no gateway took the message.
    public init(
        ranges: NumberRanges,
        sealedSeries: [UInt8],
        price: Int64,
        rangeHalfLifeMilliseconds: Int64,
        ledgerMilliseconds: Int64
    ) {
        self.ranges = ranges
        self.sealedSeries = sealedSeries
        self.price = price
        self.rangeHalfLifeMilliseconds = rangeHalfLifeMilliseconds
        self.ledgerMilliseconds = ledgerMilliseconds
    }
}

/// A line of the ledger: what a gateway sent to a series of a region.
public struct LedgerLine: Sendable {
    /// The region's code; empty for numbers of none.
    public let region: String
    /// The series, as ``NumberRanges`` has it.
    public let series: String
    /// Its name, sealed; nil where it is not known any more.
    public let sealedSeries: [UInt8]?
    /// The gateway; empty for messages that were verified before it was known who sent them.
    public let gateway: String
    /// How many messages it took.
    public internal(set) var sent: Int64 = 0
    /// How many messages were sent for sessions whose code was typed in.
    public internal(set) var verified: Int64 = 0
    /// What they cost, in millionths.
    public internal(set) var spent: Int64 = 0
}

extension Store {
    /// The ledger of a project's last `days` days, UTC, today's among them, in no order.
    /// - Throws: ``StoreUnavailable``.
    public func ledger(of project: String, days: Int, now: Int64) throws(StoreUnavailable) -> [LedgerLine] {
        let sums = try counts(days: days, now: now) { KeyNames.ledger(project, day: $0) }
        let names = try send("HGETALL", KeyNames.seriesNames(project)).fields(from: 0).dictionary
        var lines: [Substring: LedgerLine] = [:]
        for (field, count) in sums {
            let parts = field.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let place = parts[1].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard place.count == 3 else { continue }
            var line =
                lines[parts[1]]
                ?? LedgerLine(region: place[0], series: place[1], sealedSeries: names[place[1]], gateway: place[2])
            switch parts[0] {
            case "sent": line.sent = count
            case "verified": line.verified = count
            case "spent": line.spent = count
            default: continue
            }
            lines[parts[1]] = line
        }
        return Array(lines.values)
    }

    /// What was spent today and is reserved, by region, in millionths.
    /// - Throws: ``StoreUnavailable``.
    public func spending(now: Int64) throws(StoreUnavailable) -> [String: Int64] {
        try send("HGETALL", KeyNames.spending(day: now / Self.dayMilliseconds)).fields(from: 0).integers
    }

    /// Forgets what a range of a project's numbers owes; false where nothing was counted.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func forgetRange(_ kind: RangeKind, _ name: String, of project: String) throws(StoreUnavailable) -> Bool {
        try send("DEL", KeyNames.range(kind, project, name)).integer() == 1
    }

    /// What a range of a project's numbers owes now: the messages that were not verified, less what verified ones make up for.
    /// - Throws: ``StoreUnavailable``.
    public func debt(
        of kind: RangeKind,
        _ name: String,
        in project: String,
        _ bounds: RangeBounds,
        now: Int64
    ) throws(StoreUnavailable) -> Int {
        let reply = try run(
            Scripts.readDebt,
            keys: [KeyNames.range(kind, project, name)],
            [.integer(now), .integer(bounds.halfLifeMilliseconds), .integer(Int64(bounds.creditPerVerified))]
        )
        return Int(try reply.integer())
    }
}

internal import RedisScripts

/// The ledger's entry for a finished message.
struct LedgerEntry: Sendable {
    let ranges: NumberRanges
    let sealedSeries: [UInt8]
    /// In millionths; 0 if no gateway accepted the message.
    let price: Int64
    let rangeHalfLifeMilliseconds: Int64
    let ledgerMilliseconds: Int64
    /// Whether gateways are compared by their verified shares.
    let explores: Bool
}

/// A line of the ledger: what a gateway sent to a series of a region.
struct LedgerLine: Sendable {
    /// The region's code.
    let region: String
    /// Whether the numbering data did not know the numbers.
    let isUnknown: Bool
    /// The series' hash, see ``NumberRanges``.
    let series: String
    /// The series' digits, sealed; nil if they are no longer stored.
    let sealedSeries: [UInt8]?
    /// The gateway; empty for messages that were verified before their gateway was known.
    let gateway: String
    /// The number of messages that the gateway accepted.
    var sent: Int64 = 0
    /// The number of messages of sessions whose code was entered correctly.
    var verified: Int64 = 0
    /// The messages' price, in millionths.
    var spent: Int64 = 0
}

extension NumberRanges {
    /// Returns the name of the ledger's line for a gateway.
    func place(of gateway: String) -> String { "\(region)\(isUnknown ? Self.unknownMark : ""):\(series):\(gateway)" }

    /// What a place in the ledger adds to the region of a number that the numbering data do not know.
    static let unknownMark = "?"
}

extension Store {
    /// Returns the ledger of a project's last `days` days (UTC), including today, unordered.
    /// - Throws: ``StoreUnavailable``.
    func ledger(of project: String, days: Int, now: Int64) throws(StoreUnavailable) -> [LedgerLine] {
        let sums = try counts(days: days, now: now) { KeyNames.ledgers(of: project, day: $0) }
        let names = try seriesNames(of: project)
        var lines: [Substring: LedgerLine] = [:]
        for (field, count) in sums {
            let parts = field.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let place = parts[1].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard place.count == 3 else { continue }
            var line =
                lines[parts[1]]
                ?? LedgerLine(
                    region: String(place[0].prefix { $0 != "?" }),
                    isUnknown: place[0].hasSuffix(NumberRanges.unknownMark),
                    series: place[1],
                    sealedSeries: names[place[1]],
                    gateway: place[2]
                )
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

    /// Returns the hashes of a project's series in the ledger, each with the series' digits, sealed.
    /// - Throws: ``StoreUnavailable``.
    func seriesNames(of project: String) throws(StoreUnavailable) -> [String: [UInt8]] {
        try send("HGETALL", KeyNames.seriesNames(of: project)).fields(from: 0).dictionary
    }

    /// Returns a project's spending of today by region, in millionths. Messages in the outbox count.
    /// - Throws: ``StoreUnavailable``.
    func spending(of project: String, now: Int64) throws(StoreUnavailable) -> [String: Int64] {
        try send("HGETALL", KeyNames.spending(of: project, day: now / Self.dayMilliseconds)).fields(from: 0).integers
    }

    /// Resets the debt of a range of a project's numbers. Returns false if there was none.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func forgetRange(_ range: NumberRange) throws(StoreUnavailable) -> Bool {
        try send("DEL", range.key).integer() > 0
    }

    /// Returns the current debt of a range of a project's numbers: its unverified messages, less the credit of verified
    /// ones, rounded up.
    /// - Throws: ``StoreUnavailable``.
    func debt(of range: NumberRange, _ bounds: RangeBounds, now: Int64) throws(StoreUnavailable) -> Int {
        let counts = try counts(of: range, now: now, halfLifeMilliseconds: bounds.halfLifeMilliseconds)
        return Int(counts.debt(creditPerVerified: bounds.creditPerVerified).rounded(.up))
    }

    func counts(
        of range: NumberRange,
        now: Int64,
        halfLifeMilliseconds: Int64
    ) throws(StoreUnavailable) -> RangeCounts {
        let stored = try send("GET", range.key).bytes ?? []
        return RangeCounts(stored: stored, now: now, halfLifeMilliseconds: halfLifeMilliseconds)
    }
}

internal import Redis

/// The ledger's entry for a finished message.
public struct LedgerEntry: Sendable {
    let ranges: NumberRanges
    let sealedSeries: [UInt8]
    let price: Int64
    let rangeHalfLifeMilliseconds: Int64
    let ledgerMilliseconds: Int64

    /// Creates an entry. `price` is in millionths, and 0 if no gateway accepted the message.
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
    /// The region's code.
    public let region: String
    /// Whether the numbering data did not know the numbers.
    public let isUnknown: Bool
    /// The series' hash, see ``NumberRanges``.
    public let series: String
    /// The series' digits, sealed; nil if they are no longer stored.
    public let sealedSeries: [UInt8]?
    /// The gateway; empty for messages that were verified before their gateway was known.
    public let gateway: String
    /// The number of messages that the gateway accepted.
    public internal(set) var sent: Int64 = 0
    /// The number of messages of sessions whose code was entered correctly.
    public internal(set) var verified: Int64 = 0
    /// The messages' price, in millionths.
    public internal(set) var spent: Int64 = 0
}

extension LedgerEntry {
    /// Returns the calls that count a message accepted by a gateway, for use before the message leaves the outbox, and
    /// the calls that undo this if another dispatcher has finished the message. The ranges have already counted the
    /// message, unless it is sent again; the spending has counted what was reserved.
    func callsOfAcceptance(
        of message: QueuedMessage,
        by gateway: String,
        now: Int64,
        _ store: Store
    ) -> (counting: [ScriptCall], taking: [ScriptCall]) {
        func calls(sign: Int64) -> [ScriptCall] {
            let counts = LedgerCounts(sent: sign, spent: sign * price, sealedSeries: sign > 0 ? sealedSeries : [])
            return [store.ledgerCall(ranges, gateway, counts, now: now, lifeMilliseconds: ledgerMilliseconds)]
                + store.correctingCalls(
                    ranges,
                    sent: message.isSentAgain && message.isCounted ? sign : 0,
                    price: sign * max(0, price - message.reserved),
                    queuedAt: message.queuedAt,
                    now: now,
                    halfLifeMilliseconds: rangeHalfLifeMilliseconds
                )
        }
        return (calls(sign: 1), calls(sign: -1))
    }
}

/// Messages of a session whose code was entered correctly.
struct VerifiedMessages {
    let count: Int64
    /// The gateway of the last one; empty if it is not known.
    let gateway: String
    let ledgerMilliseconds: Int64
}

/// The amounts to add to a line of the ledger, except ``VerifiedMessages``.
struct LedgerCounts {
    var sent: Int64 = 0
    /// In millionths.
    var spent: Int64 = 0
    /// The series' digits, sealed; empty to store none.
    var sealedSeries: [UInt8] = []
}

extension NumberRanges {
    /// Returns the name of the ledger's line for a gateway.
    func place(of gateway: String) -> String { "\(region)\(isUnknown ? Self.unknownMark : ""):\(series):\(gateway)" }

    /// What a place in the ledger adds to the region of a number that the numbering data do not know.
    static let unknownMark = "?"
}

extension Store {
    /// Returns the call that counts messages in the ledger of the day.
    func ledgerCall(
        _ ranges: NumberRanges,
        _ gateway: String,
        _ counts: LedgerCounts,
        now: Int64,
        lifeMilliseconds: Int64
    ) -> ScriptCall {
        let shard = ranges.range(.series).shard(among: shards)
        return ScriptCall(
            .countInLedger,
            keys: [
                "ledgerKey": ledgerKey(of: ranges, at: now),
                "seriesNamesKey": KeyNames.seriesNames(shard, ranges.project),
            ],
            [
                "place": .text(ranges.place(of: gateway)),
                "sent": .integer(counts.sent),
                "spent": .integer(counts.spent),
                "series": .text(ranges.series),
                "sealedSeries": .bytes(counts.sealedSeries),
                "life": .integer(lifeMilliseconds),
            ]
        )
    }

    /// Returns the key of the day's ledger that contains the series.
    func ledgerKey(of ranges: NumberRanges, at time: Int64) -> String {
        let shard = ranges.range(.series).shard(among: shards)
        return KeyNames.ledger(shard, ranges.project, day: time / Self.dayMilliseconds)
    }

    /// Returns the ledger of a project's last `days` days (UTC), including today, unordered.
    /// - Throws: ``StoreUnavailable``.
    public func ledger(of project: String, days: Int, now: Int64) throws(StoreUnavailable) -> [LedgerLine] {
        let today = now / Self.dayMilliseconds
        var sums: [String: Int64] = [:]
        for day in (0..<Int64(days)).map({ today - $0 }) {
            let keys = shards.shards.map { KeyNames.ledger($0, project, day: day) }
            for fields in try hashes(keys) { sums.merge(fields.integers, uniquingKeysWith: +) }
        }
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
    public func seriesNames(of project: String) throws(StoreUnavailable) -> [String: [UInt8]] {
        let keys = shards.shards.map { KeyNames.seriesNames($0, project) }
        var names: [String: [UInt8]] = [:]
        for fields in try hashes(keys) { names.merge(fields.dictionary) { $1 } }
        return names
    }

    /// Returns today's spending, including reservations, by region, in millionths.
    /// - Throws: ``StoreUnavailable``.
    public func spending(now: Int64) throws(StoreUnavailable) -> [String: Int64] {
        let day = now / Self.dayMilliseconds
        let keys = shards.shards.map { KeyNames.spending($0, day: day) }
        var spending: [String: Int64] = [:]
        for fields in try hashes(keys) { spending.merge(fields.integers, uniquingKeysWith: +) }
        return spending
    }

    /// Returns the hashes under these keys, in one round trip.
    private func hashes(_ keys: [String]) throws(StoreUnavailable) -> [HashFields] {
        try sendAll("HGETALL", keys.map { [$0] }).map { $0.fields(from: 0) }
    }

    /// Resets the debt of a range of a project's numbers. Returns false if there was none.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func forgetRange(_ range: NumberRange) throws(StoreUnavailable) -> Bool {
        guard let field = range.field else { return try send("DEL", key(of: range)).integer() == 1 }
        return try send("HDEL", key(of: range), field).integer() == 1
    }

    /// Returns the current debt of a range of a project's numbers: its unverified messages, less the credit of verified
    /// ones, rounded up.
    /// - Throws: ``StoreUnavailable``.
    public func debt(
        of range: NumberRange,
        _ bounds: RangeBounds,
        now: Int64
    ) throws(StoreUnavailable) -> Int {
        guard let reply = try read([read(of: range)]).first, !reply.isNull else { return 0 }
        let counts = RangeCounts(stored: try reply.text(), now: now, halfLifeMilliseconds: bounds.halfLifeMilliseconds)
        return Int(counts.debt(creditPerVerified: bounds.creditPerVerified).rounded(.up))
    }
}

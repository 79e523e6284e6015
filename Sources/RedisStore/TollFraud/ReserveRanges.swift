internal import Redis

/// What reserving a message in its ranges found.
struct RangeReservation {
    /// The message's ranges, and its price.
    let check: TollFraudCheck
    /// When it was counted; milliseconds since the Unix epoch.
    let at: Int64
    let verdict: TollFraudVerdict
}

/// The ranges that the version before kept in one slot. They are added to those of this version until they expire, four
/// half-lives after the last worker of that version counted in them.
struct FormerRanges {
    /// How long a region without former ranges is remembered. A worker of the version before that counts the first
    /// message of a region in days is noticed this late.
    private static let memory: Duration = .seconds(60)

    private var absentSince: [NumberRange: ContinuousClock.Instant] = [:]

    /// Returns the reads of the former ranges and the former spending; empty if the region is known to have
    /// none. Each message counts in its region, so a region without counts has no narrower range with counts.
    func reads(_ check: TollFraudCheck, now: Int64) -> [StoreRead] {
        let ranges = check.ranges
        if let since = absentSince[ranges.range(.region)], .now < since + Self.memory { return [] }
        return [
            ("MGET", ranges.all.map(KeyNames.formerRange)),
            ("HGET", [KeyNames.formerSpending(day: now / Store.dayMilliseconds), ranges.region]),
        ]
    }

    /// Adds what the ``reads(_:now:)`` returned to the counts and the spending.
    mutating func add(
        _ replies: [ScriptReply],
        to counts: inout [RangeKind: RangeCounts],
        _ spent: inout Int64,
        _ check: TollFraudCheck,
        now: Int64
    ) throws(StoreUnavailable) {
        guard replies.count == 2 else { return }
        let texts = try replies[0].optionalTexts()
        for (kind, text) in zip(RangeKind.allCases, texts) {
            guard let text else { continue }
            let former = RangeCounts(stored: text, now: now, halfLifeMilliseconds: check.bounds.halfLifeMilliseconds)
            counts[kind] = counts[kind, default: .none] + former
        }
        let formerlySpent = replies[1].isNull ? nil : Int64(try replies[1].text())
        spent += formerlySpent ?? 0
        if texts.first == .some(nil), formerlySpent == nil {
            absentSince[check.ranges.range(.region)] = .now
        }
    }
}

extension Store {
    /// Returns the calls that count a message in its ranges, the widest first, and reserve its price.
    func reservingCalls(_ check: TollFraudCheck, now: Int64) -> [ScriptCall] {
        check.ranges.all.map { range in
            let needsSpending = range.kind == .region && (check.price != 0 || check.cap != nil)
            return ScriptCall(
                .reserveRange,
                keys: ["rangeKey": key(of: range), "spendingKey": spendingKey(of: range, at: now)],
                [
                    "now": .integer(now),
                    "halfLife": .integer(check.bounds.halfLifeMilliseconds),
                    "region": .text(check.ranges.region),
                    "price": needsSpending ? .integer(check.price) : "",
                ]
            )
        }
    }

    /// Reads the replies to ``reservingCalls(_:now:)`` and to the reads of ``FormerRanges``.
    func rangeReservation(
        _ check: TollFraudCheck,
        now: Int64,
        _ replies: ArraySlice<ScriptReply>,
        former: [ScriptReply]
    ) throws(StoreUnavailable) -> RangeReservation {
        var counts: [RangeKind: RangeCounts] = [:]
        var spent: Int64 = 0
        for (kind, reply) in zip(RangeKind.allCases, replies) {
            counts[kind] = RangeCounts(
                stored: try reply.text(at: 0),
                now: now,
                halfLifeMilliseconds: check.bounds.halfLifeMilliseconds
            )
            if kind == .region { spent = try reply.integer(at: 1) }
        }
        try formerRanges.add(former, to: &counts, &spent, check, now: now)
        let verdict = TollFraudVerdict(check, counts: counts, spent: spent, now: now)
        return RangeReservation(check: check, at: now, verdict: verdict)
    }

    /// Returns the calls that add messages to ranges and a price to a day's spending; all may be negative.
    func correctingCalls(
        _ ranges: NumberRanges,
        sent: Int64 = 0,
        verified: Int64 = 0,
        price: Int64 = 0,
        queuedAt: Int64,
        now: Int64,
        halfLifeMilliseconds: Int64
    ) -> [ScriptCall] {
        ranges.all.compactMap { range in
            let price = range.kind == .region ? price : 0
            guard sent != 0 || verified != 0 || price != 0 else { return nil }
            return ScriptCall(
                .correctRange,
                keys: ["rangeKey": key(of: range), "spendingKey": spendingKey(of: range, at: queuedAt)],
                [
                    "now": .integer(now),
                    "halfLife": .integer(halfLifeMilliseconds),
                    "sent": .integer(sent),
                    "verified": .integer(verified),
                    "region": .text(ranges.region),
                    "price": .integer(price),
                ]
            )
        }
    }

    /// Only regions have a spending. A script needs a key of the same slot for each of its names.
    private func spendingKey(of range: NumberRange, at time: Int64) -> String {
        range.kind == .region
            ? KeyNames.spending(range.shard(among: shards), day: time / Self.dayMilliseconds) : key(of: range)
    }
}

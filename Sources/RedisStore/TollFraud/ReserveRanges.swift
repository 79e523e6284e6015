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
        let ranges = check.ranges
        let (region, series) = (ranges.range(.region), ranges.range(.series))
        let halfLife = Argument.integer(check.bounds.halfLifeMilliseconds)
        let needsSpending = check.price != 0 || check.cap != nil
        return [
            ScriptCall(
                .reserveRegion,
                keys: ["regionKey": key(of: region), "spendingKey": spendingKey(of: region, at: now)],
                [
                    "now": .integer(now),
                    "halfLife": halfLife,
                    "region": .text(ranges.region),
                    "price": needsSpending ? .integer(check.price) : "",
                ]
            ),
            ScriptCall(
                .reserveSeries,
                keys: ["seriesKey": key(of: series), "formerSeriesKey": formerKey(of: series)],
                ["now": .integer(now), "halfLife": halfLife, "block": .text(ranges.block)]
            ),
        ]
    }

    /// Reads the replies to ``reservingCalls(_:now:)`` and to the reads of ``FormerRanges``.
    func rangeReservation(
        _ check: TollFraudCheck,
        now: Int64,
        _ replies: ArraySlice<ScriptReply>,
        former: [ScriptReply]
    ) throws(StoreUnavailable) -> RangeReservation {
        guard replies.count == 2, let region = replies.first, let series = replies.last else { throw .unexpectedReply }
        func counts(_ stored: String) -> RangeCounts {
            RangeCounts(stored: stored, now: now, halfLifeMilliseconds: check.bounds.halfLifeMilliseconds)
        }
        var found: [RangeKind: RangeCounts] = [
            .region: counts(try region.text(at: 0)),
            .series: counts(try series.text(at: 0)),
            .block: counts(try series.text(at: 1)),
        ]
        // Each message counts in its series, so a series without former counts has no block with former counts.
        let formerSeries = try series.text(at: 2)
        if !formerSeries.isEmpty {
            let block = try send("GET", formerKey(of: check.ranges.range(.block)))
            for (kind, stored) in [(RangeKind.series, formerSeries), (.block, block.isNull ? "" : try block.text())] {
                found[kind] = found[kind, default: .none] + counts(stored)
            }
        }
        var spent = try region.integer(at: 1)
        try formerRanges.add(former, to: &found, &spent, check, now: now)
        let verdict = TollFraudVerdict(check, counts: found, spent: spent, now: now)
        return RangeReservation(check: check, at: now, verdict: verdict)
    }

    /// Returns the calls that add messages to ranges, a price to a day's spending, and messages to the ledger.
    /// Everything but the latter may be negative.
    func correctingCalls(
        _ ranges: NumberRanges,
        sent: Int64 = 0,
        verified: Int64 = 0,
        price: Int64 = 0,
        inLedger: VerifiedMessages? = nil,
        queuedAt: Int64,
        now: Int64,
        halfLifeMilliseconds: Int64
    ) -> [ScriptCall] {
        let (region, series) = (ranges.range(.region), ranges.range(.series))
        let counts: NamedValues<Argument> = [
            "now": .integer(now), "halfLife": .integer(halfLifeMilliseconds), "sent": .integer(sent),
            "verified": .integer(verified),
        ]
        var calls: [ScriptCall] = []
        if sent != 0 || verified != 0 || price != 0 {
            var call = ScriptCall(
                .correctRegion,
                keys: ["regionKey": key(of: region), "spendingKey": spendingKey(of: region, at: queuedAt)],
                counts
            )
            call.append("region", .text(ranges.region))
            call.append("price", .integer(price))
            calls.append(call)
        }
        if sent != 0 || verified != 0 || inLedger != nil {
            var call = ScriptCall(
                .correctSeries,
                keys: ["seriesKey": key(of: series), "ledgerKey": ledgerKey(of: ranges, at: now)],
                counts
            )
            call.append("block", .text(ranges.block))
            call.append("place", .text(ranges.place(of: inLedger?.gateway ?? "")))
            call.append("verifiedInLedger", .integer(inLedger?.count ?? 0))
            call.append("ledgerLife", .integer(inLedger?.ledgerMilliseconds ?? 0))
            calls.append(call)
        }
        return calls
    }

    private func spendingKey(of region: NumberRange, at time: Int64) -> String {
        KeyNames.spending(region.shard(among: shards), day: time / Self.dayMilliseconds)
    }
}

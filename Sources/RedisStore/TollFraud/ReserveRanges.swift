internal import Redis

/// The result of reserving a message in its ranges.
struct RangeReservation {
    /// The message's ranges, and its price.
    let check: TollFraudCheck
    /// When it was counted; milliseconds since the Unix epoch.
    let at: Int64
    let verdict: TollFraudVerdict
}

/// The ranges of earlier versions: the version that kept all ranges in one slot, and the version whose blocks had
/// shards of their own. They are added to the ranges of this version until they expire, four half-lives after the last
/// worker of that version counted in them.
struct FormerRanges {
    /// How long a region or a series without former counts is remembered. If a worker of an earlier version counts its
    /// first message in days, this process notices it only after this time.
    private static let memory: Duration = .seconds(60)
    /// Each thread of a worker remembers its own, and a series takes about 200 bytes.
    private static let mostRemembered = 1000

    private var absentSince: [NumberRange: ContinuousClock.Instant] = [:]

    /// Returns the reads of the former ranges and the former spending, unless the region is known to have none, and of
    /// the former series, unless it is known not to exist. Each message counts in its region, so a region without
    /// counts has no narrower range with counts.
    func reads(
        _ check: TollFraudCheck,
        formerSeriesKey: @autoclosure () -> String,
        now: Int64
    ) -> [StoreRead] {
        let ranges = check.ranges
        var reads: [StoreRead] = []
        if !isAbsent(ranges.range(.region)) {
            reads.append(("MGET", ranges.all.map(KeyNames.formerRange)))
            reads.append(("HGET", [KeyNames.formerSpending(day: now / Store.dayMilliseconds), ranges.region]))
        }
        if !isAbsent(ranges.range(.series)) { reads.append(("GET", [formerSeriesKey()])) }
        return reads
    }

    private func isAbsent(_ range: NumberRange) -> Bool {
        guard let since = absentSince[range] else { return false }
        return .now < since + Self.memory
    }

    private mutating func rememberAbsence(of range: NumberRange) {
        if absentSince.count >= Self.mostRemembered { absentSince = [:] }
        absentSince[range] = .now
    }

    /// Returns the former series that the reads returned; nil if there is none.
    mutating func formerSeries(
        _ replies: [ScriptReply],
        _ check: TollFraudCheck
    ) throws(StoreUnavailable) -> String? {
        // The region has two reads, followed by one for the series.
        guard replies.count % 2 == 1, let reply = replies.last else { return nil }
        guard reply.isNull else { return try reply.text() }
        rememberAbsence(of: check.ranges.range(.series))
        return nil
    }

    /// Adds what the reads of the region returned to the counts and the spending.
    mutating func add(
        _ replies: [ScriptReply],
        to counts: inout [RangeKind: RangeCounts],
        _ spent: inout Int64,
        _ check: TollFraudCheck,
        now: Int64
    ) throws(StoreUnavailable) {
        guard replies.count >= 2 else { return }
        let texts = try replies[0].optionalTexts()
        for (kind, text) in zip(RangeKind.allCases, texts) {
            guard let text else { continue }
            let former = RangeCounts(stored: text, now: now, halfLifeMilliseconds: check.bounds.halfLifeMilliseconds)
            counts[kind] = counts[kind, default: .none] + former
        }
        let formerlySpent = replies[1].isNull ? nil : Int64(try replies[1].text())
        spent += formerlySpent ?? 0
        if texts.first == .some(nil), formerlySpent == nil {
            rememberAbsence(of: check.ranges.range(.region))
        }
    }
}

/// A message that is being counted in its ranges.
struct StartedRangeReservation {
    let check: TollFraudCheck
    let now: Int64
    fileprivate let region: LeasedRegions.Region
    /// What the region's key counted before the message, if the process had counted the message in advance.
    fileprivate let counted: LeasedRegions.Counted?
    /// The messages that the call counts in the region.
    fileprivate let messages: Int
    /// Pass their replies, in this order, to ``Store/finish(_:_:former:)``.
    let calls: [ScriptCall]
}

extension Store {
    /// Returns the calls that count a message in its ranges, the widest first, and reserve its price.
    func startRangeReservation(_ check: TollFraudCheck, now: Int64) -> StartedRangeReservation {
        let ranges = check.ranges
        let region = leasedRegion(ranges, at: now, halfLifeMilliseconds: check.bounds.halfLifeMilliseconds)
        let (counted, messages) = leasedEvents?.regions.use(region, price: check.price, now: now) ?? (nil, 1)
        let halfLife = Argument.integer(check.bounds.halfLifeMilliseconds)
        var calls: [ScriptCall] = []
        if counted == nil {
            let needsSpending = check.price != 0 || check.cap != nil
            calls.append(
                ScriptCall(
                    .reserveRegion,
                    keys: ["regionKey": region.key, "spendingKey": region.spendingKey],
                    [
                        "now": .integer(now),
                        "halfLife": halfLife,
                        "region": .text(ranges.region),
                        "messages": .count(messages),
                        "price": needsSpending ? .integer(Int64(messages) * check.price) : "",
                    ]
                )
            )
        }
        calls.append(
            ScriptCall(
                .reserveSeries,
                SeriesRules(halfLifeMilliseconds: check.bounds.halfLifeMilliseconds),
                among: &seriesScripts,
                keys: ["seriesKey": key(of: ranges.range(.series))],
                ["now": .integer(now), "block": .text(ranges.block)]
            )
        )
        return StartedRangeReservation(
            check: check,
            now: now,
            region: region,
            counted: counted,
            messages: messages,
            calls: calls
        )
    }

    private func leasedRegion(
        _ ranges: NumberRanges,
        at time: Int64,
        halfLifeMilliseconds: Int64
    ) -> LeasedRegions.Region {
        let region = ranges.range(.region)
        let day = time / Self.dayMilliseconds
        return LeasedRegions.Region(
            key: key(of: region),
            spendingKey: KeyNames.spending(region.shard(among: shards), day: day),
            name: ranges.region,
            halfLifeMilliseconds: halfLifeMilliseconds
        )
    }

    /// Returns what was counted in the region before the message.
    private func counted(
        _ started: StartedRangeReservation,
        _ reply: ScriptReply?
    ) throws(StoreUnavailable) -> LeasedRegions.Counted {
        if let counted = started.counted { return counted }
        guard let reply else { throw .unexpectedReply }
        let (check, stored, spent) = (started.check, try reply.text(at: 1), try reply.integer(at: 2))
        guard let leasedEvents else { return LeasedRegions.Counted(stored: stored, sent: 0, spent: spent) }
        let halfLife = check.bounds.halfLifeMilliseconds
        let before = RangeCounts(stored: stored, now: started.now, halfLifeMilliseconds: halfLife)
        let lease = LeasedRegions.Lease(
            stored: stored,
            spent: spent,
            price: check.price,
            messages: started.messages,
            room: TollFraudVerdict.room(check, inRegion: before, spent: spent)
        )
        return leasedEvents.regions.add(lease, of: started.region, now: started.now)
    }

    /// Takes back the message of a reservation that failed, if it was counted in advance. What the calls themselves
    /// have counted stays counted, because it is unknown.
    func giveBack(_ started: StartedRangeReservation) {
        guard started.counted != nil else { return }
        leasedEvents?.regions.takeBack(started.region, price: started.check.price, now: started.now)
    }

    /// Reads the replies to the calls of a reservation and to the reads of ``FormerRanges``.
    func finish(
        _ started: StartedRangeReservation,
        _ replies: ArraySlice<ScriptReply>,
        former: [ScriptReply]
    ) throws(StoreUnavailable) -> RangeReservation {
        let (check, now) = (started.check, started.now)
        guard replies.count == started.calls.count, let series = replies.last else { throw .unexpectedReply }
        func counts(_ stored: String) -> RangeCounts {
            RangeCounts(stored: stored, now: now, halfLifeMilliseconds: check.bounds.halfLifeMilliseconds)
        }
        let region = try counted(started, replies.dropLast().first)
        let narrow = try series.text().split(separator: ",", omittingEmptySubsequences: false)
        guard narrow.count == 2 else { throw .unexpectedReply }
        var found: [RangeKind: RangeCounts] = [
            .region: counts(region.stored) + RangeCounts(sent: Double(region.sent), verified: 0),
            .series: counts(String(narrow[0])),
            .block: counts(String(narrow[1])),
        ]
        // Each message counts in its series, so a series without former counts has no block with former counts.
        if let formerSeries = try formerRanges.formerSeries(former, check) {
            let block = try send("GET", formerKey(of: check.ranges.range(.block)))
            for (kind, stored) in [(RangeKind.series, formerSeries), (.block, block.isNull ? "" : try block.text())] {
                found[kind] = found[kind, default: .none] + counts(stored)
            }
        }
        var spent = region.spent
        try formerRanges.add(former, to: &found, &spent, check, now: now)
        let verdict = TollFraudVerdict(check, counts: found, spent: spent, now: now)
        return RangeReservation(check: check, at: now, verdict: verdict)
    }

    /// Returns the calls that add messages to ranges, a price to a day's spending, and messages to the ledger. All
    /// amounts except those for the ledger may be negative. Corrections that reduce debts may wait: see
    /// ``LeasedRegions`` and ``OwedSeriesCorrections``.
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
        var calls: [ScriptCall] = []
        if sent != 0 || verified != 0 || price != 0 {
            let region = leasedRegion(ranges, at: queuedAt, halfLifeMilliseconds: halfLifeMilliseconds)
            let correction = LeasedRegions.Correction(sent: sent, verified: verified, price: price)
            let isReduction = sent <= 0 && verified >= 0 && price <= 0
            let corrections =
                (isReduction ? leasedEvents?.regions.owe(correction, to: region, now: now) : nil)
                ?? [(region, correction)]
            calls += corrections.map { correctingCall($0, $1, now: now) }
        }
        if sent != 0 || verified != 0 || inLedger != nil {
            let correction = SeriesCorrection(
                place: SeriesCorrection.Place(
                    seriesKey: key(of: ranges.range(.series)),
                    block: ranges.block,
                    ledgerKey: ledgerKey(of: ranges, at: now),
                    line: ranges.place(of: inLedger?.gateway ?? ""),
                    halfLifeMilliseconds: halfLifeMilliseconds
                ),
                sent: sent,
                verified: verified,
                verifiedInLedger: inLedger?.count ?? 0,
                ledgerMilliseconds: inLedger?.ledgerMilliseconds ?? 0
            )
            let corrections =
                (correction.isReduction ? leasedEvents?.series.owe(correction, now: now) : nil) ?? [correction]
            calls += correctingCalls(corrections, now: now)
        }
        return calls
    }

    /// Returns the calls that correct the counts of series, one for each ledger. A ledger is in the slot of its series.
    func correctingCalls(_ corrections: [SeriesCorrection], now: Int64) -> [ScriptCall] {
        struct Shared: Hashable {
            let ledgerKey: String
            let halfLifeMilliseconds: Int64
        }
        let calls = Dictionary(grouping: corrections) {
            Shared(ledgerKey: $0.place.ledgerKey, halfLifeMilliseconds: $0.place.halfLifeMilliseconds)
        }
        return calls.map { shared, corrections in
            ScriptCall(
                .correctSeries,
                keys: NamedValues(
                    ["ledgerKey": shared.ledgerKey],
                    list: "seriesKeys",
                    corrections.map(\.place.seriesKey)
                ),
                NamedValues(
                    [
                        "now": .integer(now),
                        "halfLife": .integer(shared.halfLifeMilliseconds),
                        "ledgerLife": .integer(corrections.map(\.ledgerMilliseconds).max() ?? 0),
                    ],
                    list: "corrections",
                    corrections.flatMap { correction -> [Argument] in
                        [
                            .text(correction.place.block), .integer(correction.sent), .integer(correction.verified),
                            .text(correction.place.line), .integer(correction.verifiedInLedger),
                        ]
                    }
                )
            )
        }
    }

    /// Returns the call that corrects the counts of a region.
    func correctingCall(
        _ region: LeasedRegions.Region,
        _ correction: LeasedRegions.Correction,
        now: Int64
    ) -> ScriptCall {
        ScriptCall(
            .correctRegion,
            keys: ["regionKey": region.key, "spendingKey": region.spendingKey],
            [
                "now": .integer(now),
                "halfLife": .integer(region.halfLifeMilliseconds),
                "sent": .integer(correction.sent),
                "verified": .integer(correction.verified),
                "region": .text(region.name),
                "price": .integer(correction.price),
            ]
        )
    }
}

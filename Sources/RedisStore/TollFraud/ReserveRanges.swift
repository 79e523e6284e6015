internal import Redis

/// The result of reserving a message in its ranges.
struct RangeReservation {
    /// The message's ranges, and its price.
    let check: TollFraudCheck
    /// When it was counted; milliseconds since the Unix epoch.
    let at: Int64
    let verdict: TollFraudVerdict
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
    /// Pass their replies, in this order, to ``Store/finish(_:_:)``.
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

    /// Reads the replies to the calls of a reservation.
    func finish(
        _ started: StartedRangeReservation,
        _ replies: ArraySlice<ScriptReply>
    ) throws(StoreUnavailable) -> RangeReservation {
        let (check, now) = (started.check, started.now)
        guard replies.count == started.calls.count, let series = replies.last else { throw .unexpectedReply }
        func counts(_ stored: String) -> RangeCounts {
            RangeCounts(stored: stored, now: now, halfLifeMilliseconds: check.bounds.halfLifeMilliseconds)
        }
        let region = try counted(started, replies.dropLast().first)
        let narrow = try series.text().split(separator: ",", omittingEmptySubsequences: false)
        guard narrow.count == 2 else { throw .unexpectedReply }
        let found: [RangeKind: RangeCounts] = [
            .region: counts(region.stored) + RangeCounts(sent: Double(region.sent), verified: 0),
            .series: counts(String(narrow[0])),
            .block: counts(String(narrow[1])),
        ]
        let verdict = TollFraudVerdict(check, counts: found, spent: region.spent, now: now)
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

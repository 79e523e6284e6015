import Redis
import TestServers
import Testing

@testable import RedisStore

/// Corrections of series that a process collects before it makes them.
@Suite struct OwedSeriesCorrectionsTests: LeasingProcesses {
    let test: TestStore
    let proxy: RedisProxy

    init() throws {
        test = try TestStore()
        proxy = try RedisProxy(to: test.redis)
    }

    private static let series = ["one", "two"].map {
        NumberRanges(project: "demo", region: "US", series: $0, block: "block")
    }

    /// A correct code pays only for its own message, so the debt is the number of unverified messages.
    private static let bounds = RangeBounds(
        region: 1_000_000,
        series: 1_000_000,
        block: 1_000_000,
        creditPerVerified: 0,
        halfLifeMilliseconds: TestStore.bounds.halfLifeMilliseconds
    )

    private func correct(
        _ ranges: NumberRanges,
        sent: Int64 = 0,
        verified: Int64 = 0,
        _ store: Store,
        at now: Int64? = nil
    ) throws {
        let now = now ?? test.now
        let inLedger = VerifiedMessages(count: verified, gateway: "gateway", ledgerMilliseconds: Store.dayMilliseconds)
        let calls = store.correctingCalls(
            ranges,
            sent: sent,
            verified: verified,
            inLedger: verified > 0 ? inLedger : nil,
            queuedAt: now,
            now: now,
            halfLifeMilliseconds: Self.bounds.halfLifeMilliseconds
        )
        try store.correct(CountCorrection(calls: calls))
    }

    /// Counts this number of correct codes, in each series in turn.
    private func verify(_ codes: Int, _ store: Store, at now: Int64? = nil) throws {
        for number in 0..<codes { try correct(Self.series[number % 2], verified: 1, store, at: now) }
    }

    /// Returns the unverified messages of both series, whose blocks have the same number.
    private func owed(at now: Int64? = nil) throws -> Int {
        try Self.series.map { ranges in
            let kinds: [RangeKind] = [.series, .block]
            let debts = try kinds.map {
                try test.store.debt(of: ranges.range($0), Self.bounds, now: now ?? test.now)
            }
            #expect(debts[0] == debts[1])
            return debts[0]
        }.reduce(0, +)
    }

    private func verifiedInLedger() throws -> Int64 {
        try test.store.ledger(of: "demo", days: 2, now: test.now + Store.dayMilliseconds).reduce(0) { $0 + $1.verified }
    }

    @Test("a busy process corrects series in blocks, and their debts are never too low")
    func blocks() throws {
        for ranges in Self.series { try correct(ranges, sent: 200, test.store) }
        let busy = store(LeasedEvents())
        try verify(200, busy)
        #expect(try (200...264).contains(owed()))
        // Each correct code has a call for its region, of which the process has no lease.
        #expect((200..<300).contains(proxy.scriptCount))
        for _ in 1...2 {
            try busy.returnLeasedEvents(now: test.now)
            #expect(try owed() == 200 && verifiedInLedger() == 200)
        }
    }

    @Test("a process with few correct codes corrects each series immediately")
    func slow() throws {
        for ranges in Self.series { try correct(ranges, sent: 100, test.store) }
        let slow = store(LeasedEvents())
        for second in 1...10 {
            try verify(7, slow, at: test.now + 500 * Int64(second))
            #expect(try verifiedInLedger() == Int64(7 * second))
        }
    }

    @Test("the remaining corrections of a busy moment are made with the first correct code a second later")
    func rest() throws {
        for ranges in Self.series { try correct(ranges, sent: 200, test.store) }
        let busy = store(LeasedEvents())
        try verify(199, busy)
        try verify(1, busy, at: test.now + LeasedEvents.lifeMilliseconds)
        // The last correction belongs to the next block.
        #expect(try verifiedInLedger() == 199)
        // In a second, a ten-thousandth of a message decays.
        #expect(try (199...202).contains(owed(at: test.now + LeasedEvents.lifeMilliseconds)))
    }

    @Test("corrections that waited for a half-life subtract no more than what is left of the messages")
    func late() throws {
        for ranges in Self.series { try correct(ranges, sent: 400, test.store) }
        let busy = store(LeasedEvents())
        try verify(199, busy)
        let next = test.now + Self.bounds.halfLifeMilliseconds
        try verify(1, busy, at: next)
        #expect(try (300...364).contains(owed(at: next)))
    }

    @Test("after the death of a process, the debts of its series may be too high but never too low")
    func death() throws {
        for ranges in Self.series { try correct(ranges, sent: 200, test.store) }
        try verify(200, store(LeasedEvents()))
        #expect(try (200...264).contains(owed()))
        #expect(try (136...200).contains(verifiedInLedger()))
    }
}

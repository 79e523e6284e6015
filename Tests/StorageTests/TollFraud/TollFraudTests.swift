import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// The counts of a number's ranges, the spending on its region, and the decision that follows from them.
@Suite struct TollFraudTests {
    private let test: TestStore
    private let otherRanges = NumberRanges(project: "demo", region: "GB", series: "series2", block: "block2")

    init() throws {
        test = try TestStore()
    }

    private func owed(_ kind: RangeKind) throws -> Int {
        try test.store.debt(of: TestStore.ranges.range(kind), TestStore.bounds, now: test.now)
    }

    private func spent() throws -> Int64? { try test.store.spending(of: "demo", now: test.now)["US"] }

    @Test("a message counts in its ranges and in the day's spending")
    func counted() throws {
        try test.open(1, price: 5)
        try test.open(2, binding: "other", price: 7)
        for kind in RangeKind.allCases { #expect(try owed(kind) == 2) }
        #expect(try spent() == 12)
    }

    @Test("a send that needs no message does not change the ranges or the spending")
    func reentered() throws {
        try test.open(1, price: 5)
        guard case .reentered = try test.open(2, price: 5) else {
            Issue.record("the session was not found")
            return
        }
        for kind in RangeKind.allCases { #expect(try owed(kind) == 1) }
        #expect(try spent() == 5)
    }

    @Test("a refused send leaves no range and no spending, whatever refused it")
    func refused() throws {
        let one = RateLimit.messages(to: test.phone, .hour(1))
        try test.open(1, limits: [one])
        let before = test.contents()
        guard case .limited = try test.open(2, binding: "other", limits: [one], ranges: otherRanges, price: 5) else {
            Issue.record("the limit had room")
            return
        }
        guard case .steppedUp = try test.open(3, binding: "third", ranges: otherRanges, price: 5, cap: 4) else {
            Issue.record("the cap was not reached")
            return
        }
        #expect(test.contents() == before)
    }

    @Test("a known client's message counts only in the spending")
    func known() throws {
        try test.open(1, price: 5)
        try test.answer(1, isRight: true, request: "a")
        for kind in RangeKind.allCases { #expect(try owed(kind) == 0) }
        let before = test.counts(of: TestStore.ranges.range(.region))
        #expect(before.hasPrefix("1 1 "))
        try test.open(2, price: 5)
        #expect(test.counts(of: TestStore.ranges.range(.region)) == before)
        #expect(try spent() == 10)
    }

    @Test("of concurrent sends, as many are opened as the cap allows")
    func concurrent() throws {
        let redis = test.redis
        let outcomes = try inParallel(12) { racer -> Bool in
            let worker = try TestStore(on: redis)
            let limit = RateLimit.messages(to: worker.phone, .hour(100))
            let opening = try worker.open(UInt8(racer), binding: "client\(racer)", limits: [limit], price: 10, cap: 45)
            if case .opened = opening { return true }
            return false
        }
        #expect(outcomes.filter { $0 }.count == 4)
        #expect(try spent() == 40)
        for kind in RangeKind.allCases { #expect(try owed(kind) == 4) }
    }

    @Test("a series has one key, which expires with its counts, and a forgiven debt leaves nothing")
    func seriesKey() throws {
        try test.open(1)
        let other = NumberRanges(project: "demo", region: "US", series: "series", block: "block2")
        try test.open(2, binding: "other", ranges: other)
        let key = TestStore.ranges.range(.series).key
        #expect(test.keyNames(matching: "*:range:series:*") == [key])
        #expect(try owed(.series) == 2 && owed(.block) == 1)
        #expect(try (345_000_000...345_600_000).contains(#require(Int64(test.redis.cli("PTTL", key)))))
        for range in [TestStore.ranges.range(.block), other.range(.block), other.range(.series)] {
            #expect(try test.store.forgetRange(range))
            #expect(try !test.store.forgetRange(range))
        }
        #expect(test.keyNames(matching: "*:range:series:*") == [])
        #expect(try owed(.region) == 2)
        #expect(try test.store.forgetRange(.region("US", of: "demo")))
        #expect(try owed(.region) == 0)
    }

    @Test("hundreds of sends are stepped up as in a simple model", arguments: [1, 2] as [UInt64])
    func model(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        try test.open(250, binding: "known")
        try test.answer(250, isRight: true, request: "r")
        var seen: Set<String> = []
        for step in 0..<600 {
            let (model, isKnown) = (try randomModel(&random), random.next() % 4 == 0)
            let expected = model.stepUp(isKnown: isKnown)
            let stops =
                model.check.isEnforced
                && (expected?.level == .denied || expected?.level == .challenged && !model.check.isHardProof)
            let opening = try test.open(step, isKnown ? "known" : "client\(step)", model.check, at: model.now)
            if case .steppedUp(let stepUp) = opening {
                #expect(stops && stepUp.level == expected?.level && stepUp.cause == expected?.cause, "step \(step)")
                #expect(abs(stepUp.retryAfterMilliseconds - (expected?.retryAfter ?? 0)) <= 1, "step \(step)")
            } else {
                #expect(!stops, "step \(step): \(opening), not \(String(describing: expected))")
            }
            seen.insert("\(expected?.level.rawValue ?? "known") \(stops)")
        }
        let all = ["known false", "normal false", "challenged false", "challenged true", "denied false", "denied true"]
        #expect(seen == Set(all))
    }

    /// Returns a message with random bounds, and stores random counts and spending.
    private func randomModel(_ random: inout SplitMix) throws -> TollFraudModel {
        let day = Store.dayMilliseconds
        let now = test.now + Int64(random.next() % UInt64(day))
        let check = TollFraudCheck(
            ranges: TestStore.ranges,
            bounds: RangeBounds(
                region: 40,
                series: 10,
                block: 4,
                creditPerVerified: 233,
                halfLifeMilliseconds: day
            ),
            isEnforced: random.next() % 10 > 0,
            isHardProof: random.next() % 2 == 0,
            challengesNewClients: random.next() % 4 == 0,
            price: Money(micros: Int64(random.next() % 20)),
            cap: random.next() % 3 == 0 ? Money(micros: Int64(random.next() % 200)) : nil
        )
        var model = TollFraudModel(check: check, now: now)
        for (kind, most) in [(RangeKind.region, 80), (.series, 20), (.block, 8)] as [(RangeKind, UInt64)] {
            let (sent, verified) = (random.next() % (most * 10_000), random.next() % 10_000)
            let (range, at) = (TestStore.ranges.range(kind), now - Int64(random.next() % 90_000_000))
            test.store(Double(sent) / 10_000, Double(verified) / 10_000, at: at, of: range)
            model.counts[kind] = try test.store.counts(of: range, now: now, halfLifeMilliseconds: day)
        }
        model.spent = Int64(random.next() % 200)
        test.redis.cli("HSET", KeyNames.spending(of: "demo", day: now / day), "US", String(model.spent))
        return model
    }

    @Test("stored counts halve in each half-life, even if another worker's clock is fast")
    func decay() throws {
        let (day, now) = (Store.dayMilliseconds, test.now)
        let range = TestStore.ranges.range(.block)
        func counts() throws -> RangeCounts {
            try test.store.counts(of: range, now: now, halfLifeMilliseconds: day)
        }
        #expect(try counts() == .none)
        test.store(8, 2, at: now - 2 * day, of: range)
        #expect(try counts() == RangeCounts(sent: 2, verified: 0.5))
        test.store(8, 2, at: now + day, of: range)
        #expect(try counts() == RangeCounts(sent: 8, verified: 2))
        test.redis.cli("SET", range.key, "1 2 3")
        #expect(try counts() == .none)
    }

    @Test("correct codes pay for themselves and their credit, and a debt is never negative")
    func credit() {
        #expect(RangeCounts(sent: 10, verified: 1).debt(creditPerVerified: 200) == 7)
        #expect(RangeCounts(sent: 2, verified: 2).debt(creditPerVerified: 200) == 0)
    }
}

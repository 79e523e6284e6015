import Redis
import TestServers
import Testing

@testable import RedisStore

/// The counts of a number's ranges and the spending on its region, which are in several slots.
@Suite struct ReserveRangesTests {
    private let test: TestStore

    init() throws {
        test = try TestStore()
    }

    private func owed(_ kind: RangeKind, _ store: Store? = nil) throws -> Int {
        try (store ?? test.store).debt(of: TestStore.ranges.range(kind), TestStore.bounds, now: test.now)
    }

    private func spent(_ region: String = "US") throws -> Int64? { try test.store.spending(now: test.now)[region] }

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
        let none = RateLimit.messages(to: test.phone, .hour(1))
        try test.open(1, limits: [none])
        let before = test.keyNames(matching: "dt:{g*")
        guard case .limited = try test.open(2, binding: "other", limits: [none], ranges: otherRanges, price: 5) else {
            Issue.record("the limit had room")
            return
        }
        guard case .steppedUp = try test.open(3, binding: "third", ranges: otherRanges, price: 5, cap: 4) else {
            Issue.record("the cap was not reached")
            return
        }
        #expect(test.keyNames(matching: "dt:{g*").filter { !$0.contains(":spending:") } == before)
        #expect(try spent("GB") == 0)
    }

    private let otherRanges = NumberRanges(project: "demo", region: "GB", series: "series2", block: "block2")

    @Test("a known client's message counts only in the spending")
    func known() throws {
        try test.open(1, price: 5)
        try test.answer(1, isRight: true, request: "a")
        for kind in RangeKind.allCases { #expect(try owed(kind) == 0) }
        let before = test.redis.cli("GET", test.store.key(of: TestStore.ranges.range(.region)))
        #expect(before.hasPrefix("10000 10000 "))
        try test.open(2, price: 5)
        #expect(test.redis.cli("GET", test.store.key(of: TestStore.ranges.range(.region))) == before)
        #expect(try spent() == 10)
    }

    @Test("each concurrent send is counted, and none exceeds the cap")
    func concurrent() throws {
        let redis = test.redis
        let outcomes = try inParallel(12) { racer -> Bool in
            let worker = try TestStore(on: redis)
            let opening = try worker.open(UInt8(racer), binding: "client\(racer)", limits: [], price: 10, cap: 45)
            if case .opened = opening { return true }
            return false
        }
        #expect(outcomes.filter { $0 }.count <= 4)
        let opened = Int64(outcomes.filter { $0 }.count)
        #expect(try spent() == 10 * opened)
        for kind in RangeKind.allCases { #expect(try owed(kind) == Int(opened)) }
    }

    @Test("a series has one key, which expires with its counts, and a forgiven debt leaves nothing")
    func seriesKey() throws {
        try test.open(1)
        let other = NumberRanges(project: "demo", region: "US", series: "series", block: "block2")
        try test.open(2, binding: "other", ranges: other)
        let key = test.store.key(of: TestStore.ranges.range(.series))
        #expect(test.keyNames(matching: "dt:{g*}:range:series:*") == [key])
        #expect(try owed(.series) == 2 && owed(.block) == 1)
        #expect(try (345_000_000...345_600_000).contains(#require(Int64(test.redis.cli("PTTL", key)))))
        for range in [TestStore.ranges.range(.block), other.range(.block), other.range(.series)] {
            #expect(try test.store.forgetRange(range))
        }
        #expect(test.keyNames(matching: "dt:{g*}:range:series:*") == [])
    }

    @Test("a call whose reply was lost opens one session and is never counted too little")
    func lostReply() throws {
        let proxy = try RedisProxy(to: test.redis)
        try test.open(9, binding: "rehearsal")
        for scripts in 1...6 {
            test.redis.cli("FLUSHALL")
            try test.open(9, binding: "rehearsal", ranges: otherRanges)
            var configuration = TestStore.configuration(test.redis, over: proxy.socketPath)
            configuration.commandTimeout = .seconds(1)
            let store = Store(configuration, shards: .standard)
            store.deadline = .now + .seconds(30)
            proxy.interrupt(afterScripts: scripts, .hang)
            let opening = try test.open(1, price: 5, on: store)
            guard case .opened = opening else {
                Issue.record("\(opening) after \(scripts) scripts")
                continue
            }
            let isLost = proxy.hasInterrupted()
            for kind in RangeKind.allCases { #expect((1...2).contains(try owed(kind)), "\(scripts)") }
            #expect([5, 10].contains(try spent()), "\(scripts)")
            #expect(test.redis.cli("XLEN", KeyNames.outbox(.messages, test.phone.shard)).hasPrefix("2"))
            if !isLost { #expect(try spent() == 5) }
        }
    }
}

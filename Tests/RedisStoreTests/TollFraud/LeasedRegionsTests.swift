import Redis
import TestServers
import Testing

@testable import RedisStore

/// Blocks of messages and corrections that a process counts in the ranges of regions.
@Suite struct LeasedRegionsTests: LeasingProcesses {
    let test: TestStore
    let proxy: RedisProxy

    init() throws {
        test = try TestStore()
        proxy = try RedisProxy(to: test.redis)
    }

    private static let region = NumberRange.region("US", of: "demo")

    /// Sends to new clients, each with its own session.
    /// - Returns: the number of queued messages.
    @discardableResult
    private func send(
        _ numbers: Range<Int>,
        _ store: Store,
        bounds: RangeBounds = TestStore.bounds,
        price: Int64 = 0,
        at now: Int64? = nil
    ) throws -> Int {
        try Self.send(numbers, test, store, bounds: bounds, price: price, at: now)
    }

    private static func send(
        _ numbers: Range<Int>,
        _ test: TestStore,
        _ store: Store,
        bounds: RangeBounds = TestStore.bounds,
        price: Int64 = 0,
        cap: Int64? = nil,
        at now: Int64? = nil
    ) throws -> Int {
        try numbers.filter { number in
            let opening = try test.open(
                id: [UInt8(number >> 8), UInt8(number & 0xFF)] + [UInt8](repeating: 0, count: SessionID.byteCount - 2),
                binding: "client\(number)",
                at: now,
                limits: [],
                bounds: bounds,
                price: price,
                cap: cap,
                on: store
            )
            if case .opened = opening { return true }
            return false
        }.count
    }

    private func takeBack(_ messages: Int, _ store: Store, at now: Int64) throws {
        for _ in 0..<messages {
            let calls = store.correctingCalls(
                TestStore.ranges,
                sent: -1,
                queuedAt: now,
                now: now,
                halfLifeMilliseconds: TestStore.bounds.halfLifeMilliseconds
            )
            try store.correct(CountCorrection(calls: calls))
        }
    }

    /// Returns the messages that the region's key counts, minus their credit.
    private func counted() throws -> Int { try test.store.debt(of: Self.region, TestStore.bounds, now: test.now) }

    private func spent() throws -> Int64 { try test.store.spending(now: test.now)["US"] ?? 0 }

    @Test("a busy process counts messages in blocks before they are sent, and returns the unused ones")
    func blocks() throws {
        let busy = store(LeasedEvents())
        for round in 1...4 {
            #expect(try send((round - 1) * 100..<round * 100, busy, price: 5) == 100)
            #expect(try (round * 100...round * 100 + 64).contains(counted()))
            #expect(try spent() == 5 * Int64(counted()))
        }
        // Each message has a call for its series and a call for its session.
        #expect((800..<900).contains(proxy.scriptCount))
        for _ in 1...2 {
            try busy.returnLeasedEvents(now: test.now)
            #expect(try counted() == 400 && spent() == 2000)
        }
    }

    @Test("a process with few messages counts each one when it is sent")
    func slow() throws {
        let slow = store(LeasedEvents())
        for second in 0..<20 {
            try send(7 * second..<7 * second + 7, slow, at: test.now + 500 * Int64(second))
            #expect(try counted() == 7 * second + 7)
        }
    }

    @Test("the allowance and the cap of a region are exact, even for racing processes", arguments: [false, true])
    func exact(byCap: Bool) throws {
        let bounds = RangeBounds(
            region: byCap ? 1_000_000 : 150,
            series: 1_000_000,
            block: 1_000_000,
            creditPerVerified: 233,
            halfLifeMilliseconds: 86_400_000
        )
        let processes = [LeasedEvents(), LeasedEvents()]
        let redis = test.redis
        let sent = try inParallel(4) { racer in
            let configuration = TestStore.configuration(redis)
            return try Self.send(
                racer * 100..<racer * 100 + 100,
                TestStore(on: redis),
                Store(configuration, shards: .standard, leasedEvents: processes[racer % 2]),
                bounds: bounds,
                price: byCap ? 5 : 0,
                cap: byCap ? 750 : nil
            )
        }.reduce(0, +)
        #expect(sent <= 150)
        for process in processes { try store(process).returnLeasedEvents(now: test.now) }
        #expect(try counted() == sent)
        #expect(try spent() == (byCap ? 5 * Int64(sent) : 0))
    }

    @Test("a busy process corrects counts in blocks, and they are never too low")
    func corrections() throws {
        let busy = store(LeasedEvents())
        try send(0..<200, busy)
        let before = try counted()
        let calls = proxy.scriptCount
        try takeBack(100, busy, at: test.now)
        #expect(try (before - 100...before - 100 + 64).contains(counted()))
        #expect(proxy.scriptCount < calls + 100)
        // A second later, the rest is corrected together with the next code, and unused messages are returned.
        try takeBack(1, busy, at: test.now + LeasedEvents.lifeMilliseconds)
        #expect(try counted() == 99)
    }

    @Test("after the death of a process that counted messages in advance, counts may be too high but never too low")
    func death() throws {
        try send(0..<200, store(LeasedEvents()), price: 5)
        #expect(try (200...264).contains(counted()))
        #expect(try (1000...1320).contains(spent()))
        let next = store(LeasedEvents())
        try send(200..<201, next, price: 5)
        #expect(try (201...265).contains(counted()))
    }

    @Test("lost replies leave one block counted too many, and one message each for the others")
    func lostReplies() throws {
        let busy = store(LeasedEvents())
        try send(0..<200, busy)
        try busy.returnLeasedEvents(now: test.now)
        #expect(try counted() == 200)
        for number in 200..<205 {
            // Interrupts the calls that count in region and series.
            proxy.interrupt(afterScripts: 2)
            #expect(throws: StoreUnavailable.self) { try send(number..<number + 1, busy) }
        }
        #expect(try (206...204 + 64).contains(counted()))
    }

    @Test("messages returned after a half-life subtract no more than what is left of them")
    func late() throws {
        let busy = store(LeasedEvents())
        var sent = 0
        while try sent < 200 || counted() == sent {
            try send(sent..<sent + 1, busy)
            sent += 1
        }
        let next = test.now + TestStore.bounds.halfLifeMilliseconds
        try send(sent..<sent + 1, busy, at: next)
        try takeBack(1, busy, at: next)
        let owed = try test.store.debt(of: Self.region, TestStore.bounds, now: next)
        #expect(((sent + 1) / 2...sent / 2 + 64).contains(owed))
    }

    @Test("messages counted in advance for one day or price are not used for another")
    func otherDay() throws {
        let busy = store(LeasedEvents())
        let midnight = (test.now / Store.dayMilliseconds + 1) * Store.dayMilliseconds
        try send(0..<100, busy, price: 5, at: midnight - 1)
        try send(100..<101, busy, price: 5, at: midnight)
        try send(101..<102, busy, price: 7, at: midnight)
        #expect(try test.store.spending(now: midnight)["US"] == 12)
        try busy.returnLeasedEvents(now: test.now)
        #expect(try test.store.spending(now: midnight)["US"] == 12)
        #expect(try test.store.spending(now: midnight - 1)["US"] == 500)
    }
}

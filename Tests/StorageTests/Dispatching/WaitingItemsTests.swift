import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

@Suite struct WaitingItemsTests {
    private let test: TestStore

    init() throws {
        test = try TestStore()
    }

    /// Opens a session and takes its message as a dispatcher.
    private func taken(_ fill: UInt8 = 9, by dispatcher: String = "one") throws -> OutboxItem {
        try test.store.prepare(.messages)
        try test.open(fill, binding: "\(fill)")
        let items = try test.store.take(from: .messages, for: dispatcher, atMost: 16, waitMilliseconds: 10)
        return try #require(items.first)
    }

    private func postponement(
        delay: Int64 = 0,
        until: Int64? = nil,
        destinations: [String] = ["main"]
    ) -> Postponement {
        var history = AttemptHistory()
        history.failures = 3
        history.refusedBy = ["other"]
        return Postponement(
            delayMilliseconds: delay,
            until: until ?? test.now + 600_000,
            destinations: destinations,
            history: history
        )
    }

    private func takeWaiting(
        _ room: [String: DestinationRoom] = ["main": .items(1)],
        by dispatcher: String = "two",
        at now: Int64? = nil
    ) throws -> [OutboxItem] {
        try test.store.takeWaiting(from: .messages, for: dispatcher, room: room, now: now ?? test.now).items
    }

    /// Returns the time until the next waiting item is due.
    private func timeToNext(_ room: DestinationRoom = .items(0)) throws -> Duration? {
        try test.store.takeWaiting(from: .messages, for: "two", room: ["main": room], now: test.now).next
    }

    private func isPending(at dispatcher: String) -> Bool {
        test.redis.cli("XPENDING", "dt:{demo}:outbox", "dispatchers", "-", "+", "9", dispatcher).contains("-")
    }

    @Test("a waiting item keeps its id and data, and is pending with no dispatcher")
    func postponed() throws {
        let item = try taken()
        try test.store.postpone([(item, postponement())], for: "one")
        #expect(!isPending(at: "one"))
        let again = try takeWaiting()
        #expect(again.map(\.entryID) == [item.entryID])
        #expect(again.first?.history == postponement().history)
        #expect(again.first.flatMap(QueuedMessage.init)?.session == (try test.sessionID(9)))
        #expect(isPending(at: "two"))
        #expect(try takeWaiting().isEmpty)
    }

    @Test("all items are listed while few wait, and otherwise those that are due first")
    func listed() throws {
        let ids = try ([9, 10, 11] as [UInt8]).map { fill in
            let item = try taken(fill)
            // The first one is being sent.
            let delay = Int64(fill == 10 ? 60_000 : 1000)
            if fill > 9 { try test.store.postpone([(item, postponement(delay: delay))], for: "one") }
            return item.entryID
        }
        let all = try test.store.queuedItems(of: .messages, "demo", atMost: 9)
        #expect(all.count == 3 && all.items.map(\.item.entryID) == ids)
        #expect(all.items.map { $0.waiting?.destinations } == [nil, ["main"], ["main"]])
        let some = try test.store.queuedItems(of: .messages, "demo", atMost: 1)
        #expect(some.count == 3 && some.items.map(\.item.entryID) == [ids[2]])
    }

    @Test("an item that is not due, or whose destination has an open circuit breaker or no room, is not taken")
    func left() throws {
        let item = try taken()
        try test.store.postpone([(item, postponement(delay: 60_000))], for: "one")
        #expect(try takeWaiting().isEmpty)
        let second = try taken(10)
        try test.store.postpone([(second, postponement())], for: "one")
        #expect(try takeWaiting(["main": .items(0)]).isEmpty)
        #expect(try takeWaiting(["main": .items(1)]).map(\.entryID) == [second.entryID])
        try test.store.postpone([(second, postponement())], for: "two")
        #expect(try takeWaiting(["main": .breakerOpen]).isEmpty)
        #expect(test.redis.cli("XLEN", "dt:{demo}:outbox") == "2")
    }

    @Test("the time until the next item is due is known, and is zero while a due item has no room")
    func nextDue() throws {
        let items = [try taken(), try taken(10)]
        #expect(try timeToNext() == nil)
        try test.store.postpone([(items[0], postponement(delay: 3_000_000))], for: "one")
        try test.store.postpone([(items[1], postponement(delay: 60_000))], for: "one")
        let next = try #require(try timeToNext())
        #expect((.seconds(30)...(.seconds(60))).contains(next))
        test.redis.cli("DEL", "dt:{demo}:outbox:waiting")
        try test.store.postpone([(try taken(11), postponement())], for: "one")
        #expect(try timeToNext() == .zero)
        _ = try timeToNext(.items(1))
        #expect(try timeToNext() == nil)
    }

    @Test("an item with a second or unknown destination, or close to its expiry, is taken anyway")
    func elsewhere() throws {
        let item = try taken()
        try test.store.postpone([(item, postponement(destinations: ["main", "spare"]))], for: "one")
        #expect(try takeWaiting(["main": .breakerOpen, "spare": .items(1)], by: "one").count == 1)
        try test.store.postpone([(item, postponement(destinations: ["removed"]))], for: "one")
        #expect(try takeWaiting(["main": .breakerOpen], by: "one").count == 1)
        try test.store.postpone([(item, postponement(until: test.now + 1))], for: "one")
        #expect(try takeWaiting(["main": .breakerOpen], by: "one", at: test.now + 1).count == 1)
    }

    @Test("a dispatcher that lost an item to another one cannot postpone it")
    func stale() throws {
        let item = try taken()
        #expect(try test.store.takeAbandoned(from: .messages, for: "two", atMost: 9, idleMilliseconds: 0).count == 1)
        try test.store.postpone([(item, postponement())], for: "one")
        #expect(isPending(at: "two"))
        #expect(try takeWaiting(by: "three").isEmpty)
    }

    @Test("a repeated postponement, or one of a finished item, changes nothing")
    func repeated() throws {
        let item = try taken()
        try test.store.postpone([(item, postponement())], for: "one")
        try test.store.postpone([(item, postponement(delay: 60_000))], for: "one")
        #expect(try takeWaiting(by: "one").count == 1)
        try test.store.discard(item)
        try test.store.postpone([(item, postponement())], for: "one")
        #expect(try takeWaiting().isEmpty)
    }

    @Test("an item whose stream entry no longer exists no longer waits")
    func trimmed() throws {
        let item = try taken()
        try test.store.postpone([(item, postponement())], for: "one")
        _ = test.redis.cli("XDEL", "dt:{demo}:outbox", item.entryID)
        #expect(try takeWaiting().isEmpty)
        #expect(test.keyNames(matching: "*waiting*").isEmpty)
        #expect(!isPending(at: "two"))
    }

    @Test("an item that the stream delivers again is not taken twice")
    func newGroup() throws {
        let item = try taken()
        try test.store.postpone([(item, postponement())], for: "one")
        _ = test.redis.cli("XGROUP", "DESTROY", "dt:{demo}:outbox", "dispatchers")
        try test.store.prepare(.messages)
        #expect(try test.store.take(from: .messages, for: "one", atMost: 9, waitMilliseconds: 10).count == 1)
        #expect(try takeWaiting().isEmpty)
    }

    @Test("if more items are due than fit in one read, the items behind them are still found")
    func crowd() throws {
        try test.store.prepare(.messages)
        let limit = RateLimit.messages(to: test.phone, RateLimit.Window(milliseconds: 1000, maximum: 10_000))
        for fill in 0..<200 as Range<UInt8> {
            try test.open(fill, binding: "\(fill)", limits: [limit])
        }
        var items: [OutboxItem] = []
        while items.count < 200 {
            items += try test.store.take(from: .messages, for: "one", atMost: 100, waitMilliseconds: 10)
        }
        for item in items.dropLast() { try test.store.postpone([(item, postponement())], for: "one") }
        try test.store.postpone([(items[199], postponement(destinations: ["spare"]))], for: "one")
        let room: [String: DestinationRoom] = ["main": .items(0), "spare": .items(1)]
        #expect(eventually { (try? takeWaiting(room).map(\.entryID)) == [items[199].entryID] })
    }

    @Test("a dispatcher leaves the group only if it has no pending items")
    func leave() throws {
        let item = try taken()
        try test.store.leave(.messages, "one")
        #expect(isPending(at: "one"))
        try test.store.postpone([(item, postponement())], for: "one")
        try test.store.leave(.messages, "one")
        #expect(!test.redis.cli("XINFO", "CONSUMERS", "dt:{demo}:outbox", "dispatchers").contains("one"))
        #expect(try takeWaiting().count == 1)
    }
}

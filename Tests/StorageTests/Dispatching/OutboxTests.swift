import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

@Suite struct OutboxTests {
    /// Returns a store whose streams have nodes of one entry. Redis trims whole nodes, so it trims these to the entry.
    private func store() throws -> TestStore {
        try TestStore(settings: ["stream-node-max-entries 1"])
    }

    private let outbox = "dt:{demo}:outbox"

    @Test(
        "a message is removed once its session has expired, whatever the worker's clock shows",
        arguments: [-3600, 0, 3600]
    )
    func trimming(clockOffBySeconds: Int64) throws {
        let test = try store()
        // Queued 700, 601 and 1 seconds ago by Redis's clock.
        for age in [700_000, 601_000, 1000] as [Int64] {
            test.redis.cli("XADD", outbox, "\(test.now - age)-1", "a", "b")
        }
        let outcome = try test.open(1, at: test.now + clockOffBySeconds * 1000)
        guard case .opened = outcome else {
            Issue.record("not opened")
            return
        }
        #expect(test.redis.cli("XLEN", outbox) == "2")
        #expect(!test.redis.cli("XRANGE", outbox, "-", "+").contains("\(test.now - 601_000)-1"))
        #expect(test.redis.cli("XRANGE", outbox, "-", "+").contains("\(test.now - 1000)-1"))
    }

    @Test("a message contains the session, the sealed number and the data for its text")
    func entry() throws {
        let test = try store()
        try test.open(9)
        let entries = try test.store.queuedMessages(of: "demo")
        #expect(entries.count == 1)
        let entry = try #require(entries.first)
        #expect(entry.session == (try test.sessionID(9)))
        #expect(entry.sealedNumber == [0, 0xFF, 9])
        #expect(entry.purpose == "sign-in")
        #expect(entry.project == "demo")
        #expect(entry.queuedAt == test.now && entry.expiresAt == test.now + 600_000)
        #expect(entry.tried == [])
    }

    @Test("the backlog has the number of items in all projects and the time of the oldest")
    func backlog() throws {
        let test = try store()
        let projects = Store(TestStore.configuration(test.redis), shards: .standard, projects: ["demo", "other"])
        #expect(try projects.backlog(of: .messages) == OutboxBacklog(items: 0, oldest: nil))
        test.redis.cli("XADD", "dt:{other}:outbox", "2000-1", "a", "b")
        test.redis.cli("XADD", outbox, "1000-7", "a", "b")
        test.redis.cli("XADD", outbox, "3000-0", "a", "b")
        #expect(try projects.backlog(of: .messages) == OutboxBacklog(items: 3, oldest: 1000))
        #expect(try projects.backlog(of: .pushes) == OutboxBacklog(items: 0, oldest: nil))
        test.redis.cli("SET", "dt:{other}:push-outbox", "no stream")
        #expect(throws: StoreUnavailable.self) { try projects.backlog(of: .pushes) }
    }

    @Test("a dispatcher that waits receives an item of any of its projects at once, and nothing when its time is over")
    func waiting() throws {
        let test = try store()
        let projects = Store(TestStore.configuration(test.redis), shards: .standard, projects: ["demo", "other"])
        try projects.prepare(.messages)
        func take(milliseconds: Int64) throws -> [OutboxItem] {
            try projects.take(from: .messages, for: "one", atMost: 9, waitMilliseconds: milliseconds)
        }
        var start = ContinuousClock.now
        for project in ["other", "demo"] {
            try test.redis.whenBlocking(send: "XADD", "dt:{\(project)}:outbox", "*", "a", "b")
            #expect(try take(milliseconds: 60_000).map(\.project) == [project])
        }
        #expect(.now - start < .seconds(30))
        start = .now
        #expect(try take(milliseconds: 100).isEmpty)
        #expect(.now - start >= .milliseconds(100))
    }

    @Test("a dispatcher that waits notices that its Redis was emptied, and does not create the outbox there again")
    func emptied() throws {
        let test = try store()
        let configuration = TestStore.configuration(test.redis)
        _ = try Store.adopt(configuration, shards: .standard, marks: .test, withData: false)
        let store = Store(configuration, shards: .standard, projects: ["demo"], marks: { .test })
        try store.prepare(.messages)
        try test.redis.whenBlocking(send: "FLUSHALL")
        let start = ContinuousClock.now
        #expect(throws: StoreUnavailable.self) {
            try store.take(from: .messages, for: "one", atMost: 9, waitMilliseconds: 60_000)
        }
        #expect(.now - start < .seconds(30))
        #expect(throws: StoreUnavailable.self) { try store.prepare(.messages) }
        #expect(test.keyNames(matching: "*").isEmpty)
    }

    @Test("the session of a test number has no message and is not counted")
    func testNumber() throws {
        let test = try store()
        try test.open(9, codeSource: .testNumber)
        #expect(test.keyNames(matching: "*outbox*") + test.keyNames(matching: "*:sends:*") == [])
        #expect(test.keyNames(matching: "*sess*").count == 1)
    }

    @Test("sends are stored no longer than the longest window")
    func sends() throws {
        let test = try store()
        for second in 0..<5 as Range<Int64> {
            let outcome = try test.open(
                UInt8(second),
                binding: "\(second)",
                at: test.now + second * 1000,
                limits: [
                    .messages(to: test.phone, RateLimit.Window(milliseconds: 500, maximum: 2)),
                    .messages(to: test.phone, RateLimit.Window(milliseconds: 2000, maximum: 9)),
                ]
            )
            guard case .opened = outcome else {
                Issue.record("not opened")
                return
            }
        }
        // The sends of seconds 3 and 4; that of second 2 has just left the window.
        let log = try #require(test.keyNames(matching: "*:sends:*").first)
        #expect(test.redis.cli("GET", log).split(whereSeparator: \.isNewline).count == 2)
    }
}

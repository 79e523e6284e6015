import TestServers
import Testing

@testable import RedisStore

@Suite struct OutboxTests {
    /// Redis trims whole nodes of a stream; with nodes of one entry it trims to the entry.
    private func store() throws -> TestStore {
        try TestStore(settings: ["stream-node-max-entries 1"])
    }

    private let outbox = "dt:{p17}:outbox"

    @Test(
        "a message goes when its session's life is over, whatever the worker's clock says",
        arguments: [-3600, 0, 3600]
    )
    func trimming(clockOffBySeconds: Int64) throws {
        let test = try store()
        // Queued 600.1, 600 and 1 seconds before now, as Redis's clock says.
        for age in [700_000, 601_000, 1000] as [Int64] {
            test.redis.cli("XADD", outbox, "\(test.now - age)-1", "a", "b")
        }
        let opening = try test.opening(1, at: test.now + clockOffBySeconds * 1000)
        guard case .opened = try test.store.openSession(opening) else {
            Issue.record("not opened")
            return
        }
        #expect(test.redis.cli("XLEN", outbox) == "2")
        #expect(!test.redis.cli("XRANGE", outbox, "-", "+").contains("\(test.now - 601_000)-1"))
        #expect(test.redis.cli("XRANGE", outbox, "-", "+").contains("\(test.now - 1000)-1"))
    }

    @Test("a message holds the session, the sealed number and what its text needs")
    func entry() throws {
        let test = try store()
        _ = try test.store.openSession(try test.opening(9))
        let entries = try test.store.queuedMessages()
        #expect(entries.count == 1)
        let entry = try #require(entries.first)
        #expect(entry.session == (try test.sessionID(9)))
        #expect(entry.sealedNumber == [0, 0xFF, 9])
        #expect(entry.purpose == "sign-in")
        #expect(entry.project == "demo")
        #expect(entry.queuedAt == test.now && entry.expiresAt == test.now + 600_000)
        #expect(entry.tried == [])
    }

    @Test("a test number's session has neither message nor count")
    func testNumber() throws {
        let test = try store()
        _ = try test.store.openSession(try test.opening(9, codeSource: "test-number"))
        #expect(test.keyNames(matching: "*outbox*") + test.keyNames(matching: "*rate*") == [])
        #expect(test.keyNames(matching: "*sess*").count == 1)
    }

    @Test("sends are remembered no longer than the longest window")
    func sends() throws {
        let test = try store()
        for second in 0..<5 as Range<Int64> {
            let opening = try test.opening(
                UInt8(second),
                binding: "\(second)",
                at: test.now + second * 1000,
                limits: [
                    SendLimit(.number(test.phone), windowMilliseconds: 500, maximum: 2),
                    SendLimit(.number(test.phone), windowMilliseconds: 2000, maximum: 9),
                ]
            )
            guard case .opened = try test.store.openSession(opening) else {
                Issue.record("not opened")
                return
            }
        }
        // Those of seconds 3 and 4; that of second 2 is just out.
        let rate = try #require(test.keyNames(matching: "*rate*").first)
        #expect(test.redis.cli("ZCARD", rate) == "2")
    }
}

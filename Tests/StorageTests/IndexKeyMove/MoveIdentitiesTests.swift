import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Records that are copied to the slot of another hash, and fields that are replaced.
@Suite struct MoveIdentitiesTests {
    private let test: TestStore
    private let next = PhoneIdentity(project: "demo", hash: "nexthash")
    private let messages: (former: String, copy: String)
    private let wrongCodes: (former: String, copy: String)

    init() throws {
        test = try TestStore()
        messages = ("dt:{demo}:sends:phonehash", "dt:{demo}:sends:nexthash")
        wrongCodes = ("dt:{demo}:wrong-codes:phonehash", "dt:{demo}:wrong-codes:nexthash")
    }

    private func count(_ messageCount: Int) {
        let log = (1...messageCount).map { "message\($0) \($0)\n" }.joined()
        test.redis.cli("SET", messages.former, log, "PX", "60000")
        test.redis.cli("HSET", wrongCodes.former, "all", "2.5", "last", "1700000000000")
        test.redis.cli("PEXPIRE", wrongCodes.former, "90000")
    }

    private func copy() throws {
        #expect(try test.store.copy([MovedIdentity(from: test.phone, to: next)]))
    }

    private func expectCopies() throws {
        #expect(test.redis.cli("GET", messages.copy) == test.redis.cli("GET", messages.former))
        #expect(test.redis.cli("HMGET", wrongCodes.copy, "all", "last") == "2.5\n1700000000000")
        for (key, life) in [(messages.copy, 60_000), (wrongCodes.copy, 90_000)] {
            #expect(try (1...life).contains(#require(Int(test.redis.cli("PTTL", key)))), "\(key)")
        }
    }

    @Test("a record is copied with its time to live, however many events it has", arguments: [1, 2000, 5001])
    func copies(messageCount: Int) throws {
        count(messageCount)
        try copy()
        try expectCopies()
        try copy()
        try expectCopies()
        #expect(test.keyNames(matching: "*:nexthash").count == 2)
    }

    @Test("a copy interrupted by a crash is completed")
    func incomplete() throws {
        count(5001)
        test.redis.cli("SET", messages.copy, "message1 1\n", "PX", "1000")
        try copy()
        try expectCopies()
    }

    @Test("an identity without records gets none")
    func none() throws {
        try copy()
        #expect(test.keyNames(matching: "dt:{demo}*") == [])
    }

    @Test("a hash is replaced with another name or another value, even when Redis has reached maxmemory")
    func fullMemory() throws {
        #expect(try test.setTestNumbers(["former": [1]]))
        test.redis.cli("CONFIG", "SET", "maxmemory", "1")
        try test.store.replaceTestNumber(("former", [1]), by: ("next", [2]), of: "demo")
        #expect(try test.store.testNumbers(of: "demo") == ["next": [2]])
        try test.store.replaceTestNumber(("next", [2]), by: ("next", [3]), of: "demo")
        #expect(try test.store.testNumbers(of: "demo") == ["next": [3]])
        try test.store.replaceTestNumber(("next", [2]), by: ("other", [4]), of: "demo")
        #expect(try test.store.testNumbers(of: "demo") == ["next": [3]])
    }
}

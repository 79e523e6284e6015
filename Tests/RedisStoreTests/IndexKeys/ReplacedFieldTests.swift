import TestServers
import Testing

@testable import RedisStore

/// Fields that a move between index keys replaces.
@Suite struct ReplacedFieldTests {
    @Test("a hash is replaced with another name or another value, even when Redis has reached maxmemory")
    func fullMemory() throws {
        let test = try TestStore()
        #expect(try test.store.setTestNumber("former", [1], of: "demo", atMost: 1))
        test.redis.cli("CONFIG", "SET", "maxmemory", "1")
        try test.store.replaceTestNumber(("former", [1]), by: ("next", [2]), of: "demo")
        #expect(try test.store.testNumbers(of: "demo") == ["next": [2]])
        try test.store.replaceTestNumber(("next", [2]), by: ("next", [3]), of: "demo")
        #expect(try test.store.testNumbers(of: "demo") == ["next": [3]])
        try test.store.replaceTestNumber(("next", [2]), by: ("other", [4]), of: "demo")
        #expect(try test.store.testNumbers(of: "demo") == ["next": [3]])
    }
}

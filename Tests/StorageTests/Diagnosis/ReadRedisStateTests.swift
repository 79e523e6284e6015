import Encodings
import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

@Suite struct ReadRedisStateTests {
    @Test("INFO, CONFIG, clock and replicas of a real server are read")
    func real() throws {
        let test = try TestStore(settings: ["appendonly yes", "appendfsync always", "maxmemory 256mb"])
        try test.store.ping()
        let replica = try test.redis.startReplica()
        defer { withExtendedLifetime(replica) {} }
        _ = try Store.adopt(TestStore.configuration(test.redis), shards: .standard, marks: .test, withData: false)
        let state = try RedisState.read(TestStore.configuration(test.redis)) { Instant.system().milliseconds }
        let expectation = RedisExpectation.test()
        let graver = state.findings(for: expectation).filter { $0.severity != .fine }
        #expect(graver.map(\.subject) == ["hash-max-listpack-value", "replicas", "min-replicas-to-write"])
        #expect(state.findings(for: expectation).contains { $0.subject == "replica 127.0.0.1:\(replica.port)" })
        let ahead = try RedisState.read(TestStore.configuration(test.redis)) { test.now + 3_600_000 }
        let clock = ahead.findings(for: expectation).first { $0.subject == "clock" }
        #expect(clock?.severity == .critical)
        test.redis.stop()
        #expect(throws: StoreUnavailable.self) {
            try RedisState.read(TestStore.configuration(test.redis)) { test.now }
        }
    }
}

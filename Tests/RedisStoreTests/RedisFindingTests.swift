import TestServers
import Testing

@testable import RedisStore

/// What the doctor makes of what a Redis says of itself.
@Suite struct RedisFindingTests {
    /// A server that leaves nothing to wish, with one replica.
    private static let healthy = [
        "redis_version": "7.0.15", "role": "master", "aof_enabled": "1", "aof_last_write_status": "ok",
        "aof_last_bgrewrite_status": "ok", "rdb_last_bgsave_status": "ok", "maxmemory_policy": "noeviction",
        "maxmemory": "1073741824", "used_memory": "104857600", "connected_slaves": "1",
        "slave0": "ip=10.0.0.2,port=6379,state=online,offset=900,lag=1", "master_repl_offset": "1000",
    ]
    private static let settings = [
        "appendfsync": "always", "min-replicas-to-write": "1", "stop-writes-on-bgsave-error": "yes",
        "hash-max-listpack-value": "1024",
    ]

    private static func state(
        _ information: [String: String] = [:],
        _ settings: [String: String] = [:]
    ) -> RedisState {
        RedisState(
            information: healthy.merging(information) { _, changed in changed },
            settings: Self.settings.merging(settings) { _, changed in changed },
            refusedCommands: [],
            shards: "64"
        )
    }

    private func findings(_ state: RedisState, replicas: Int = 0) -> [RedisFinding] {
        state.findings(for: RedisExpectation(shards: .standard, replicasBeforeAnswer: replicas))
    }

    private func gravity(_ subject: String, _ state: RedisState, replicas: Int = 0) -> RedisFinding.Gravity? {
        findings(state, replicas: replicas).first { $0.subject == subject }?.gravity
    }

    @Test("nothing is said against a server that leaves nothing to wish")
    func fine() {
        for replicas in [0, 1] {
            let findings = findings(Self.state(), replicas: replicas)
            #expect(findings.allSatisfy { $0.gravity == .fine && $0.remedy == nil })
            #expect(Set(findings.map(\.subject)).count == findings.count)
        }
    }

    @Test(
        "what INFO tells is judged",
        arguments: [
            ("redis_version", "6.0.16", "version", RedisFinding.Gravity.grave),
            ("redis_version", "6.2.0", "version", .fine),
            ("redis_version", "10.1", "version", .fine), ("redis_version", "?", "version", .grave),
            ("role", "slave", "role", .grave), ("aof_enabled", "0", "appendonly", .grave),
            ("maxmemory_policy", "allkeys-lru", "maxmemory-policy", .grave),
            ("maxmemory_policy", "volatile-ttl", "maxmemory-policy", .grave),
            ("used_memory", "805306368", "memory", .advice), ("used_memory", "1073741824", "memory", .grave),
            ("aof_last_write_status", "err", "aof_last_write_status", .grave),
            ("aof_last_bgrewrite_status", "err", "aof_last_bgrewrite_status", .grave),
            ("rdb_last_bgsave_status", "err", "rdb_last_bgsave_status", .grave),
            ("connected_slaves", "0", "replicas", .advice),
            (
                "slave0", "ip=10.0.0.2,port=6379,state=wait_bgsave,offset=0,lag=0", "replica 10.0.0.2:6379", .advice
            ), ("slave0", "ip=::1,port=6379,state=online,offset=0,lag=11", "replica ::1:6379", .advice),
        ]
    )
    func information(field: String, value: String, subject: String, gravity: RedisFinding.Gravity) throws {
        let finding = try #require(findings(Self.state([field: value])).first { $0.subject == subject })
        #expect(finding.gravity == gravity)
        #expect((finding.remedy == nil) == (gravity == .fine))
    }

    @Test(
        "what CONFIG tells is judged",
        arguments: [
            ("appendfsync", "everysec", RedisFinding.Gravity.advice), ("appendfsync", "no", .grave),
            ("min-replicas-to-write", "0", .advice), ("min-replicas-to-write", "2", .grave),
            ("hash-max-listpack-value", "64", .advice),
        ]
    )
    func settings(name: String, value: String, gravity: RedisFinding.Gravity) {
        #expect(self.gravity(name, Self.state([:], [name: value])) == gravity)
    }

    @Test("a policy that evicts does not do so yet where memory is not bounded")
    func unbounded() {
        let state = Self.state([
            "maxmemory_policy": "allkeys-lru", "maxmemory": "0", "total_system_memory": "1073741824",
        ])
        #expect(gravity("maxmemory-policy", state) == .advice)
        #expect(gravity("memory", state) == .fine)
    }

    @Test("a failed dump is no grave matter where Redis goes on writing")
    func dump() {
        let state = Self.state(["rdb_last_bgsave_status": "err"], ["stop-writes-on-bgsave-error": "no"])
        #expect(gravity("rdb_last_bgsave_status", state) == .advice)
    }

    @Test("replicas that must confirm are missed where they are missing, and where only they are asked")
    func neededReplicas() {
        #expect(gravity("replicas", Self.state(), replicas: 2) == .grave)
        #expect(gravity("min-replicas-to-write", Self.state(), replicas: 2) == .advice)
        let none = Self.state(["connected_slaves": "0"], ["min-replicas-to-write": "0"])
        #expect(gravity("min-replicas-to-write", none) == .fine)
        #expect(gravity("min-replicas-to-write", none, replicas: 1) == .advice)
    }

    @Test("what the user may not ask cannot be told, with how it can")
    func unknown() {
        var state = Self.state()
        state.settings = [:]
        state.information?["min_slaves_good_slaves"] = "1"
        for subject in ["appendfsync", "min-replicas-to-write"] { #expect(gravity(subject, state) == .unknown) }
        state.information?["min_slaves_good_slaves"] = nil
        #expect(gravity("min-replicas-to-write", state) == .advice)
        state.information = nil
        state.refusedCommands = nil
        let findings = findings(state)
        #expect(findings.filter { $0.gravity == .unknown }.count == 6)
        #expect(!findings.contains { $0.gravity == .grave })
    }

    @Test(
        "clocks may differ a little",
        arguments: [(-1900 as Int64, RedisFinding.Gravity.fine), (2500, .advice), (-30_000, .advice), (30_100, .grave)]
    )
    func clock(milliseconds: Int64, gravity: RedisFinding.Gravity) {
        var state = Self.state()
        state.clockDifference = milliseconds
        #expect(self.gravity("clock", state) == gravity)
    }

    @Test("another number of shards is grave, and none yet is fine")
    func shards() {
        var state = Self.state()
        state.shards = "32"
        #expect(gravity("shards", state) == .grave)
        state.shards = nil
        #expect(gravity("shards", state) == .fine)
    }

    @Test("a real server is read: INFO, CONFIG, the clock, the replicas")
    func real() throws {
        let test = try TestStore(settings: ["appendonly yes", "appendfsync always", "maxmemory 256mb"])
        try test.store.ping()
        let replica = try test.redis.startReplica()
        defer { withExtendedLifetime(replica) {} }
        let seconds = { Int64(test.redis.cli("TIME").prefix { $0.isNumber }).map { $0 * 1000 } ?? 0 }
        let state = try RedisState.read(TestStore.configuration(test.redis), now: seconds)
        let graver = findings(state).filter { $0.gravity != .fine }
        #expect(graver.map(\.subject) == ["hash-max-listpack-value", "min-replicas-to-write"])
        #expect(findings(state).contains { $0.subject == "replica 127.0.0.1:\(replica.port)" })
        let ahead = try RedisState.read(TestStore.configuration(test.redis)) { test.now + 3_600_000 }
        #expect(gravity("clock", ahead) == .grave)
        test.redis.stop()
        #expect(throws: StoreUnavailable.self) {
            try RedisState.read(TestStore.configuration(test.redis)) { test.now }
        }
    }
}

import Encodings
import Redis
import Testing

@testable import PhoneAuth
@testable import RedisScripts

/// The findings of `dialtone doctor` about a Redis server's state.
@Suite struct RedisFindingTests {
    /// An ideal server, except that it has only one replica.
    private static let healthy = [
        "redis_version": "7.0.15", "role": "master", "aof_enabled": "1", "aof_last_write_status": "ok",
        "aof_last_bgrewrite_status": "ok", "rdb_last_bgsave_status": "ok", "maxmemory_policy": "noeviction",
        "maxmemory": "1073741824", "used_memory": "104857600", "connected_slaves": "1",
        "slave0": "ip=10.0.0.2,port=6379,state=online,offset=900,lag=1", "master_repl_offset": "1000",
    ]
    private static let settings = [
        "appendfsync": "always", "min-replicas-to-write": "1", "stop-writes-on-bgsave-error": "yes",
        "hash-max-listpack-value": "1024", "no-appendfsync-on-rewrite": "no", "min-replicas-max-lag": "10",
    ]

    private static let secondReplica = [
        "connected_slaves": "2", "slave1": "ip=10.0.0.3,port=6379,state=online,offset=900,lag=1",
    ]

    private static func state(
        _ information: [String: String] = [:],
        _ settings: [String: String] = [:]
    ) -> RedisState {
        RedisState(
            information: healthy.merging(information) { _, changed in changed },
            settings: Self.settings.merging(settings) { _, changed in changed },
            refusedCommands: [],
            deployment: ["keys": DeploymentMarks.test.keys, "shards": "64"]
        )
    }

    private func findings(_ state: RedisState, replicas: Int = 0) -> [Finding] {
        state.findings(for: .test(replicasBeforeAnswer: replicas))
    }

    private func severity(_ subject: String, _ state: RedisState, replicas: Int = 0) -> Finding.Severity? {
        findings(state, replicas: replicas).first { $0.subject == subject }?.severity
    }

    @Test("an ideal server has no findings")
    func fine() {
        let findings = findings(Self.state(Self.secondReplica), replicas: 1)
        #expect(findings.allSatisfy { $0.severity == .fine && $0.remedy == nil })
        #expect(Set(findings.map(\.subject)).count == findings.count)
    }

    @Test(
        "findings are derived from INFO",
        arguments: [
            ("redis_version", "6.0.16", "version", Finding.Severity.critical),
            ("redis_version", "6.2.0", "version", .fine),
            ("redis_version", "10.1", "version", .fine), ("redis_version", "?", "version", .critical),
            ("role", "slave", "role", .critical), ("aof_enabled", "0", "appendonly", .critical),
            ("maxmemory_policy", "allkeys-lru", "maxmemory-policy", .critical),
            ("maxmemory_policy", "volatile-ttl", "maxmemory-policy", .critical),
            ("used_memory", "805306368", "memory", .advice), ("used_memory", "1073741824", "memory", .critical),
            ("maxmemory", "9223372036854775807", "memory", .fine),
            ("aof_last_write_status", "err", "aof_last_write_status", .critical),
            ("aof_last_bgrewrite_status", "err", "aof_last_bgrewrite_status", .critical),
            ("rdb_last_bgsave_status", "err", "rdb_last_bgsave_status", .critical),
            ("connected_slaves", "0", "replicas", .advice),
            (
                "slave0", "ip=10.0.0.2,port=6379,state=wait_bgsave,offset=0,lag=0", "replica 10.0.0.2:6379", .advice
            ), ("slave0", "ip=::1,port=6379,state=online,offset=0,lag=11", "replica ::1:6379", .advice),
        ]
    )
    func information(field: String, value: String, subject: String, severity: Finding.Severity) throws {
        let finding = try #require(findings(Self.state([field: value])).first { $0.subject == subject })
        #expect(finding.severity == severity)
        #expect((finding.remedy == nil) == (severity == .fine))
    }

    @Test(
        "findings are derived from CONFIG",
        arguments: [
            ("appendfsync", "everysec", Finding.Severity.advice), ("appendfsync", "no", .critical),
            ("min-replicas-to-write", "0", .advice), ("min-replicas-to-write", "2", .critical),
            ("min-replicas-max-lag", "0", .advice), ("no-appendfsync-on-rewrite", "yes", .advice),
            ("hash-max-listpack-value", "64", .advice),
        ]
    )
    func settings(name: String, value: String, severity: Finding.Severity) {
        #expect(self.severity(name, Self.state([:], [name: value])) == severity)
    }

    @Test("until the first node of a cluster has taken over, the server has one finding about the cluster")
    func outsideCluster() {
        let information = Self.secondReplica.merging(["cluster_enabled": "0"]) { $1 }
        var state = Self.state(information, ["cluster-require-full-coverage": "yes"])
        state.cluster = [:]
        state.openSlots = nil
        let findings = findings(state, replicas: 1).filter { $0.severity != .fine }
        #expect(findings.map(\.subject) == ["slots"])
        #expect(findings.map(\.severity) == [.advice])
        state.information?["cluster_enabled"] = "1"
        #expect(severity("slots", state, replicas: 1) == .unknown)
    }

    @Test("a cluster needs three masters, and should keep serving other slots while one master is down")
    func cluster() {
        let ok = ["cluster_state": "ok", "cluster_slots_ok": "16384", "cluster_size": "3"]
        func severity(_ subject: String, size: String? = "3", coverage: String? = "no") -> Finding.Severity? {
            var state = Self.state()
            state.cluster = ok
            state.cluster?["cluster_size"] = size
            state.settings["cluster-require-full-coverage"] = coverage
            let finding = findings(state).first { $0.subject == subject }
            if let finding { #expect((finding.remedy == nil) == (finding.severity == .fine)) }
            return finding?.severity
        }
        for (size, expected) in [("1", Finding.Severity.advice), ("2", .advice), ("3", .fine), ("12", .fine)] {
            #expect(severity("cluster_size", size: size) == expected)
        }
        #expect(severity("cluster_size", size: nil) == nil)
        let coverage = "cluster-require-full-coverage"
        #expect(severity(coverage) == .fine)
        #expect(severity(coverage, coverage: "yes") == .advice)
        #expect(severity(coverage, coverage: nil) == .unknown)
        // The setting has no effect on a server that is not in a cluster.
        #expect(self.severity(coverage, Self.state([:], [coverage: "yes"])) == nil)
        let replica = Self.state(["role": "slave", "cluster_enabled": "1"], [coverage: "yes"])
        let ofReplica = replica.findingsOfReplica(for: .test(replicasBeforeAnswer: 0))
        #expect(ofReplica.first { $0.subject == coverage }?.severity == .advice)
    }

    @Test("an eviction policy has no effect while memory is unbounded")
    func unbounded() {
        let state = Self.state([
            "maxmemory_policy": "allkeys-lru", "maxmemory": "0", "total_system_memory": "1073741824",
        ])
        #expect(severity("maxmemory-policy", state) == .advice)
        #expect(severity("memory", state) == .fine)
    }

    @Test("a failed dump is not an error while Redis accepts writes")
    func dump() {
        let state = Self.state(["rdb_last_bgsave_status": "err"], ["stop-writes-on-bgsave-error": "no"])
        #expect(severity("rdb_last_bgsave_status", state) == .advice)
    }

    @Test("missing replicas are reported only if they are required")
    func neededReplicas() {
        #expect(severity("replicas", Self.state(), replicas: 2) == .critical)
        #expect(severity("min-replicas-to-write", Self.state(), replicas: 2) == .advice)
        let none = Self.state(["connected_slaves": "0"], ["min-replicas-to-write": "0"])
        #expect(severity("min-replicas-to-write", none) == .fine)
        #expect(severity("min-replicas-to-write", none, replicas: 1) == .advice)
    }

    @Test("a replica whose confirmation no change waits for is reported, but not if there is no replica")
    func unusedReplicas() {
        #expect(severity("replicas", Self.state()) == .advice)
        #expect(findings(Self.state()).first { $0.subject == "replicas" }?.remedy?.contains("=1") == true)
        #expect(severity("replicas", Self.state(Self.secondReplica), replicas: 1) == .fine)
    }

    @Test("a server that has only the replicas that must confirm changes is advised to get another one")
    func noSpareReplica() {
        for isInCluster in [false, true] {
            var state = Self.state()
            state.cluster = isInCluster ? [:] : nil
            let finding = findings(state, replicas: 1).first { $0.subject == "replicas" }
            #expect(finding?.severity == .advice)
            #expect(finding?.remedy?.contains(isInCluster ? "CLUSTER REPLICATE" : "replicaof") == true)
        }
        #expect(severity("replicas", Self.state(Self.secondReplica), replicas: 2) == .advice)
    }

    @Test("min-replicas-to-write has no effect if min-replicas-max-lag is 0")
    func disabledMinimum() {
        let disabled = Self.state([:], ["min-replicas-to-write": "2", "min-replicas-max-lag": "0"])
        #expect(severity("min-replicas-to-write", disabled) == .fine)
        #expect(severity("min-replicas-max-lag", disabled) == .advice)
        let unused = Self.state([:], ["min-replicas-to-write": "0", "min-replicas-max-lag": "0"])
        #expect(severity("min-replicas-max-lag", unused) == nil)
    }

    @Test("fsync during rewrites matters only to an append-only file")
    func rewrites() {
        let name = "no-appendfsync-on-rewrite"
        #expect(severity(name, Self.state()) == .fine)
        #expect(severity(name, Self.state(["aof_enabled": "0"], [name: "yes"])) == nil)
    }

    @Test("a value that the user may not query is reported as unknown, with a hint")
    func unknown() {
        var state = Self.state()
        state.settings = [:]
        state.information?["min_slaves_good_slaves"] = "1"
        for subject in ["appendfsync", "no-appendfsync-on-rewrite", "min-replicas-to-write"] {
            #expect(severity(subject, state) == .unknown)
        }
        state.information?["min_slaves_good_slaves"] = nil
        #expect(severity("min-replicas-to-write", state) == .advice)
        state.information = nil
        state.refusedCommands = nil
        let findings = findings(state)
        #expect(findings.filter { $0.severity == .unknown }.count == 6)
        #expect(!findings.contains { $0.severity == .critical })
    }

    @Test(
        "small clock differences are accepted",
        arguments: [
            (-1900 as Int64, Finding.Severity.fine), (2500, .advice), (-30_000, .advice), (30_100, .critical),
        ]
    )
    func clock(milliseconds: Int64, severity: Finding.Severity) {
        var state = Self.state()
        state.clockDifference = milliseconds
        #expect(self.severity("clock", state) == severity)
    }

    @Test("a Redis of other keys, of other shards, or of no deployment is an error, and both sides are named")
    func deployment() throws {
        let keys = DeploymentMarks.test.keys
        for (stored, text) in [
            (["keys": keys, "shards": "32"], "was set up with 32 shards, but 64 are configured"),
            (["keys": "00000000ffff", "shards": "64"], "belongs to the deployment 00000000, the key file to 5eeda11c"),
            (
                ["keys": keys, "shards": "64", "index-1": "1234567890"],
                "knows index-1 as 12345678, the key file as 1dea1dea"
            ),
            ([:], "has no deployment's mark; the key file's is 5eeda11c"),
        ] {
            var state = Self.state()
            state.deployment = stored
            let finding = try #require(findings(state).first { $0.subject == "deployment" })
            #expect(finding.severity == .critical)
            #expect(finding.text.contains(text))
        }
        var state = Self.state()
        state.deployment = nil
        #expect(severity("deployment", state) == .unknown)
    }

    @Test("a replica needs the settings of a master, because it may become one")
    func replica() {
        func severity(_ subject: String, _ state: RedisState, replicas: Int = 0) -> Finding.Severity? {
            state.findingsOfReplica(for: .test(replicasBeforeAnswer: replicas))
                .first { $0.subject == subject }?.severity
        }
        let fine = Self.state(["role": "slave"])
        let findings = fine.findingsOfReplica(for: .test(replicasBeforeAnswer: 1))
        #expect(findings.allSatisfy { $0.severity == .fine && $0.remedy == nil })
        #expect(severity("appendonly", Self.state(["aof_enabled": "0"])) == .critical)
        #expect(severity("maxmemory-policy", Self.state(["maxmemory_policy": "allkeys-lru"])) == .critical)
        #expect(severity("min-replicas-to-write", Self.state([:], ["min-replicas-to-write": "0"])) == .advice)
        #expect(severity("min-replicas-to-write", fine, replicas: 2) == .advice)
        #expect(severity("min-replicas-max-lag", Self.state([:], ["min-replicas-max-lag": "0"])) == .advice)
        #expect(severity("min-replicas-to-write", RedisState(information: Self.healthy)) == .unknown)
        #expect(severity("appendonly", RedisState(refusedCommands: [])) == .unknown)
    }

    @Test("there must be three Sentinels, which are all listed and agree on the master")
    func sentinels() {
        func state(_ number: Int, master: String = "a", others: Int = 2, _ objection: String? = nil) -> SentinelState {
            SentinelState(
                address: "s\(number)",
                report: SentinelState.Report(master: master, others: others, quorum: 2, objection: objection)
            )
        }
        func advice(_ states: SentinelState...) -> [String] {
            let findings = Finding.findings(about: states)
            #expect(Set(findings.map(\.subject)).count == findings.count)
            #expect(findings.allSatisfy { ($0.remedy == nil) == ($0.severity == .fine) })
            return findings.filter { $0.severity == .advice }.map(\.subject)
        }
        #expect(advice(state(1), state(2), state(3)).isEmpty)
        #expect(advice(state(1, others: 0)) == ["count"])
        #expect(advice(state(1), state(2)) == ["count"])
        #expect(advice(state(1), state(2), state(3, master: "b")) == ["master"])
        #expect(advice(state(1), state(2), state(3, "no quorum")) == ["s3"])
        #expect(advice(state(1), state(2), SentinelState(address: "s3", fault: "gone")) == ["s3"])
        #expect(advice(SentinelState(address: "s1", fault: "gone")) == ["count", "s1"])
    }
}

import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Operations on all nodes of a real Redis Cluster.
@Suite struct ClusterStoreTests {
    private let cluster: RedisCluster

    init() async throws {
        cluster = try await RedisCluster.start()
    }

    private func configuration(_ login: String? = nil) throws -> ConnectionConfiguration {
        ConnectionConfiguration(
            servers: try RedisAddress("redis+cluster://\(cluster.list)").servers,
            user: login,
            password: login,
            connectTimeout: .seconds(10),
            commandTimeout: .seconds(10),
            maxRetryDelay: .milliseconds(1)
        )
    }

    private func scan(_ store: Store, whileScanning: () -> Void = {}) throws(StoreUnavailable) -> Set<String> {
        var scan = KeyScan(store, "key-*")
        var found: Set<String> = []
        while let keys = try scan.next() {
            found.formUnion(keys)
            whileScanning()
        }
        return found
    }

    @Test("a scan finds the keys of all nodes, even of a slot that moves meanwhile, and fails while slots are moved")
    func scan() throws {
        let keys = cluster.keys("key")
        for (key, server) in zip(keys, cluster.masters) { #expect(server.cli("SET", key, "x") == "OK") }
        let store = Store(try configuration(), shards: .standard)
        #expect(try scan(store) == Set(keys))
        let (first, last) = (cluster.masters[0], cluster.masters[2])
        let slot = cluster.slot(ofKey: keys[2])
        var isMoved = false
        let found = try scan(store) {
            // Whichever node is read first, each key was at some time on a node that had already been read.
            if !isMoved { cluster.move(slot, from: last, to: first) }
            isMoved = true
        }
        #expect(found == Set(keys))
        cluster.beginMove(slot, from: first, to: last)
        let error = #expect(throws: StoreUnavailable.self) { try scan(store) }
        #expect(error?.description.contains("are being moved") == true)
        cluster.finishMove(slot, from: first, to: last)
        #expect(try scan(store) == Set(keys))
    }

    @Test("the memory use is the fullest node's, and the run id contains each node's run id")
    func everyNode() throws {
        let store = Store(try configuration(), shards: .standard)
        #expect(try store.memoryUse() == nil)
        for (server, size) in zip(cluster.masters, ["2gb", "100mb", "1gb"]) {
            server.cli("CONFIG", "SET", "maxmemory", size)
        }
        #expect(try store.memoryUse()?.maximumBytes == 100 << 20)
        let id = try #require(try store.serverRunID())
        #expect(id.split(separator: " ").count == 3)
        #expect(try store.serverRunID() == id)
    }

    @Test("a cluster is adopted once, whichever node is asked, and then refuses other keys")
    func adoption() throws {
        func adopt(_ marks: DeploymentMarks) throws -> RedisAdoption {
            try Store.adopt(configuration(), shards: .standard, marks: marks, withData: false)
        }
        let refusal = DeploymentMismatch.unmarked(keys: DeploymentMarks.test.keys)
        let store = Store(try configuration(), shards: .standard, projects: [], marks: { .test })
        #expect(try store.deploymentMismatch() == refusal)
        #expect(try adopt(.test) == .adopted)
        #expect(try adopt(.test) == .known)
        let mismatch = DeploymentMismatch.keys(redis: DeploymentMarks.test.keys, keyFile: DeploymentMarks.other.keys)
        #expect(try adopt(.other) == .refused(mismatch))
        #expect(try store.deploymentMismatch() == nil)
        let stranger = Store(try configuration(), shards: .standard, projects: [], marks: { .other })
        for shard in ShardCount.standard.shards {
            #expect(throws: StoreUnavailable.self) { try stranger.accounts(of: "demo", in: shard) }
        }
    }

    @Test("each node's state is examined, and a node that is down is named")
    func states() throws {
        let acl = "~dt:* +@read +@write +@scripting +@connection +time -@dangerous +info"
        let rights = ["+cluster|info", "+cluster|slots", "+cluster|nodes"]
        for server in cluster.masters {
            let words = ["ACL", "SETUSER", "dialtone", "on", ">dialtone"] + acl.split(separator: " ").map(String.init)
            #expect(server.cli(words + rights) == "OK")
        }
        cluster.masters[1].cli("ACL", "SETUSER", "dialtone", "-hset")
        let expectation = RedisExpectation.test()
        func findings() throws -> [String: [Finding]] {
            let now = Int64(cluster.masters[0].cli("TIME").prefix { $0.isNumber }).map { $0 * 1000 } ?? 0
            let diagnosis = try RedisDiagnosis.examine(configuration("dialtone"), for: expectation) { now }
            return Dictionary(uniqueKeysWithValues: diagnosis.sections.map { ($0.title, $0.findings) })
        }
        let nodes = cluster.masters.map { "master tcp:127.0.0.1:\($0.port)" }
        let all = try findings()
        #expect(Set(all.keys) == Set(nodes))
        for (index, node) in nodes.enumerated() {
            let findings = all[node] ?? []
            #expect(findings.first { $0.subject == "slots" }?.severity == .fine)
            #expect(findings.first { $0.subject == "permissions" }?.severity == (index == 1 ? .critical : .fine))
            #expect(findings.contains { $0.subject == "role" && $0.severity == .fine })
        }
        func openSlots() throws -> [Finding?] {
            let all = try findings()
            return nodes.map { all[$0]?.first { $0.subject == "open slots" } }
        }
        #expect(try openSlots().allSatisfy { $0?.severity == .fine })
        cluster.beginMove(7, from: cluster.masters[0], to: cluster.masters[1])
        let open = try openSlots()
        #expect(open.map { $0?.severity } == [.advice, .advice, .fine])
        #expect(open.prefix(2).allSatisfy { $0?.text.hasPrefix("unfinished move of slot 7") == true })
        cluster.finishMove(7, from: cluster.masters[0], to: cluster.masters[1])
        #expect(try openSlots().allSatisfy { $0?.severity == .fine })
        // After a failover of the exporting master, the slot has another owner than the node from which it is imported.
        cluster.masters[1].cli("CLUSTER", "SETSLOT", "9", "IMPORTING", cluster.id(of: cluster.masters[2]))
        #expect(try openSlots().map { $0?.severity } == [.fine, .critical, .fine])
        cluster.masters[1].cli("CLUSTER", "SETSLOT", "9", "STABLE")
        cluster.masters[2].kill()
        let after = try findings()
        #expect(after[nodes[2]]?.map(\.subject) == ["node"])
        #expect(after[nodes[2]]?.first?.severity == .critical)
        #expect(after[nodes[0]]?.contains { $0.subject == "clock" } == true)
    }
}

import Redis
import TestServers
import Testing

@testable import RedisStore

/// Outboxes on a real Redis Cluster with one failing node.
@Suite struct ClusterOutboxTests {
    /// An outbox with a shard on each node, and a store.
    private struct Deployment {
        let cluster: RedisCluster
        let store: Store
        /// One shard on each master.
        let shards: [Shard]
        /// The index of a master without the settings, which each new connection reads.
        let victim: Int

        init(hasReplicas: Bool = false, timeout: Duration = .seconds(10)) async throws {
            cluster = try await RedisCluster.start(
                hasReplicas: hasReplicas,
                nodeTimeoutMilliseconds: 2000,
                settings: ["cluster-require-full-coverage no"]
            )
            let configuration = ConnectionConfiguration(
                servers: try RedisAddress("redis+cluster://\(cluster.list)").servers,
                connectTimeout: timeout,
                commandTimeout: timeout,
                replicaConfirmation: hasReplicas ? ReplicaConfirmation(replicas: 1, milliseconds: 2000) : nil,
                firstRetryDelay: .milliseconds(1),
                maxRetryDelay: .milliseconds(1)
            )
            store = Store(configuration, shards: .standard)
            let cluster = cluster
            shards = (0..<RedisCluster.masterCount).compactMap { master in
                ShardCount.standard.shards.first { cluster.index(ofKey: KeyNames.outbox(.messages, $0)) == master }
            }
            victim = cluster.index(ofKey: KeyNames.deployment) == 1 ? 2 : 1
        }

        var others: [Shard] { shards.indices.filter { $0 != victim }.map { shards[$0] } }

        /// Adds an item to a shard, and returns whether its node has stored it.
        @discardableResult func add(to shard: Shard) -> Bool {
            let key = KeyNames.outbox(.messages, shard)
            return cluster.masters[cluster.index(ofKey: key)].cli("XADD", key, "*", "a", "b").contains("-")
        }

        func take(milliseconds: Int64 = 0) throws -> [OutboxItem] {
            try store.take(from: .messages, for: "one", atMost: 16, waitMilliseconds: milliseconds)
        }

        func takeWaiting() throws -> [OutboxItem] {
            try store.takeWaiting(from: .messages, for: "one", room: ["main": .items(99)], now: 0)
        }

        /// Returns items that the dispatcher does not hold, but that are pending at it.
        func retake() throws -> [OutboxItem] {
            try store.retake(from: .messages, for: "one", except: [])
        }

        func takeAbandoned() throws -> [OutboxItem] {
            try store.takeAbandoned(from: .messages, for: "two", atMost: 16, idleMilliseconds: 0)
        }
    }

    private func shards(_ items: [OutboxItem]) -> [UInt16] { items.map(\.shard.index).sorted() }
    private func indices(_ shards: [Shard]) -> [UInt16] { shards.map(\.index).sorted() }

    private let postponement = Postponement(
        delayMilliseconds: 0,
        until: 1 << 50,
        destinations: ["main"],
        history: AttemptHistory()
    )

    @Test("while a node is down, outboxes on other nodes are served, and its own once it is back without data")
    func lostNode() async throws {
        let test = try await Deployment()
        let (store, others, victim) = (test.store, test.others, test.shards[test.victim])
        var reports: [String] = []
        store.onPartialFailure = { reports.append($0.description) }
        try store.prepare(.messages)
        for shard in test.shards { test.add(to: shard) }
        let first = try test.take()
        #expect(shards(first) == indices(test.shards))
        try store.postpone(first.map { ($0, postponement) }, for: "one")
        for shard in test.shards { test.add(to: shard) }
        #expect(reports.isEmpty)
        #expect(try store.backlog(of: .messages).items == 6)

        test.cluster.masters[test.victim].kill()
        #expect(try store.backlog(of: .messages).items == 4)
        let second = try test.take()
        #expect(shards(second) == indices(others))
        // The reply of the failed node may have assigned items.
        #expect(try test.retake().isEmpty)
        #expect(shards(try test.takeWaiting()) == indices(others))
        try store.touch(first + second, for: "one")
        try store.touch(first.filter { $0.shard == victim }, for: "one")
        #expect(shards(try test.takeAbandoned()) == indices(others + others))
        try store.postpone(first.map { ($0, postponement) }, for: "two")
        #expect(throws: StoreUnavailable.self) {
            try store.postpone(first.filter { $0.shard == victim }.map { ($0, postponement) }, for: "two")
        }
        #expect(try store.messagesWithoutReceipt(by: 0, atMost: 1).isEmpty)
        #expect(try store.memoryUse() == nil)
        try store.leave(.messages, "three")
        try store.prepare(.messages)
        #expect(!reports.isEmpty)
        for report in reports { #expect(!report.contains("dt:{") && report.contains("failed: "), "\(report)") }

        // The node's consumer groups are lost with its data.
        try test.cluster.masters[test.victim].restart()
        #expect(eventually { test.add(to: victim) })
        let isServed = try eventually { shards(try test.take()) == [victim.index] }
        #expect(isServed)
    }

    @Test("while a node hangs, outboxes on other nodes are served, and its own once it continues")
    func hangingNode() async throws {
        let test = try await Deployment(timeout: .milliseconds(500))
        #expect(eventually { (try? test.store.prepare(.messages)) != nil })
        let hanging = test.cluster.masters[test.victim]
        for shard in test.shards { test.add(to: shard) }
        hanging.pause()
        defer { hanging.resume() }
        var taken: Set<Shard> = []
        func take() -> Set<Shard> {
            // On a busy machine, replies of the other nodes may be late, too.
            for items in [try? test.take(), try? test.retake()] { taken.formUnion((items ?? []).map(\.shard)) }
            return taken
        }
        #expect(eventually { take() == Set(test.others) })
        hanging.resume()
        #expect(eventually { take() == Set(test.shards) })
    }

    @Test("an operation fails if no node is available")
    func lostCluster() async throws {
        let test = try await Deployment()
        try test.store.prepare(.messages)
        for master in test.cluster.masters { master.kill() }
        #expect(throws: StoreUnavailable.self) { try test.store.prepare(.messages) }
        #expect(throws: StoreUnavailable.self) { try test.take() }
        #expect(throws: StoreUnavailable.self) { try test.takeWaiting() }
        #expect(throws: StoreUnavailable.self) { try test.takeAbandoned() }
        #expect(throws: StoreUnavailable.self) { try test.store.memoryUse() }
        #expect(throws: StoreUnavailable.self) { try test.store.backlog(of: .messages) }
    }

    @Test("items whose slot is being moved are sent when it has been moved, and other items of the node immediately")
    func movingSlot() async throws {
        let test = try await Deployment(hasReplicas: true)
        let (cluster, store, moving) = (test.cluster, test.store, test.shards[test.victim])
        let key = KeyNames.outbox(.messages, moving)
        let sibling = try #require(
            ShardCount.standard.shards.first {
                $0 != moving && cluster.index(ofKey: KeyNames.outbox(.messages, $0)) == test.victim
            }
        )
        try store.prepare(.messages)
        for shard in test.shards + [sibling] { test.add(to: shard) }
        let (slot, source, target) = (
            cluster.slot(ofKey: key), cluster.masters[test.victim], cluster.masters[(test.victim + 1) % 3]
        )
        cluster.beginMove(slot, from: source, to: target)
        #expect(shards(try test.take()) == indices(test.others + [sibling]))
        cluster.finishMove(slot, from: source, to: target)
        let isServed = try eventually { shards(try test.retake()) == [moving.index] }
        #expect(isServed)
    }

    @Test("items that no replica confirms are not sent, and items of other nodes are")
    func unconfirmed() async throws {
        let test = try await Deployment(hasReplicas: true)
        try test.store.prepare(.messages)
        test.cluster.replicas[test.victim].kill()
        for shard in test.shards { test.add(to: shard) }
        #expect(shards(try test.take()) == indices(test.others))
        #expect(try test.retake().isEmpty)
        // The dispatcher gets these items again once their master has a replica.
        try test.cluster.replicas[test.victim].restart()
        let isServed = try eventually { shards(try test.retake()) == [test.shards[test.victim].index] }
        #expect(isServed)
    }
}

import Redis
import TestServers
import Testing

@testable import RedisStore

/// Outboxes on a real Redis Cluster with one failing node.
@Suite struct ClusterOutboxTests {
    /// A project on each node, and a store.
    private struct Deployment {
        let cluster: RedisCluster
        let store: Store
        /// One project on each master.
        let projects: [String]
        /// Another project on the victim.
        let sibling: String
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
            let cluster = cluster
            func projects(on master: Int) -> [String] {
                let candidates = (0..<100).map { "demo\($0)" }
                return candidates.filter { cluster.index(ofKey: KeyNames.outbox(.messages, of: $0)) == master }
            }
            victim = cluster.index(ofKey: KeyNames.deployment) == 1 ? 2 : 1
            self.projects = (0..<RedisCluster.masterCount).map { projects(on: $0)[0] }
            sibling = projects(on: victim)[1]
            store = Store(configuration, shards: .standard, projects: self.projects + [sibling])
        }

        var others: [String] { projects.indices.filter { $0 != victim }.map { projects[$0] } }

        /// Adds an item to a project, and returns whether its node has stored it.
        @discardableResult func add(to project: String) -> Bool {
            let key = KeyNames.outbox(.messages, of: project)
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

    private func projects(_ items: [OutboxItem]) -> [String] { items.map(\.project).sorted() }

    private let postponement = Postponement(
        delayMilliseconds: 0,
        until: 1 << 50,
        destinations: ["main"],
        history: AttemptHistory()
    )

    @Test("while a node is down, outboxes on other nodes are served, and its own once it is back without data")
    func lostNode() async throws {
        let test = try await Deployment()
        let (store, others, victim) = (test.store, test.others, test.projects[test.victim])
        var reports: [String] = []
        store.onPartialFailure = { reports.append($0.description) }
        try store.prepare(.messages)
        for project in test.projects { test.add(to: project) }
        let first = try test.take()
        #expect(projects(first) == (test.projects).sorted())
        try store.postpone(first.map { ($0, postponement) }, for: "one")
        for project in test.projects { test.add(to: project) }
        #expect(reports.isEmpty)
        #expect(try store.backlog(of: .messages).items == 6)

        test.cluster.masters[test.victim].kill()
        #expect(try store.backlog(of: .messages).items == 4)
        let second = try test.take()
        #expect(projects(second) == (others).sorted())
        // The reply of the failed node may have assigned items.
        #expect(try test.retake().isEmpty)
        #expect(projects(try test.takeWaiting()) == (others).sorted())
        try store.touch(first + second, for: "one")
        try store.touch(first.filter { $0.project == victim }, for: "one")
        #expect(projects(try test.takeAbandoned()) == (others + others).sorted())
        try store.postpone(first.map { ($0, postponement) }, for: "two")
        #expect(throws: StoreUnavailable.self) {
            try store.postpone(first.filter { $0.project == victim }.map { ($0, postponement) }, for: "two")
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
        let isServed = try eventually { projects(try test.take()) == [victim] }
        #expect(isServed)
    }

    @Test("while a node hangs, outboxes on other nodes are served, and its own once it continues")
    func hangingNode() async throws {
        let test = try await Deployment(timeout: .milliseconds(500))
        #expect(eventually { (try? test.store.prepare(.messages)) != nil })
        let hanging = test.cluster.masters[test.victim]
        for project in test.projects { test.add(to: project) }
        hanging.pause()
        defer { hanging.resume() }
        var taken: Set<String> = []
        func take() -> Set<String> {
            // On a busy machine, replies of the other nodes may be late, too.
            for items in [try? test.take(), try? test.retake()] { taken.formUnion((items ?? []).map(\.project)) }
            return taken
        }
        #expect(eventually { take() == Set(test.others) })
        hanging.resume()
        #expect(eventually { take() == Set(test.projects) })
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
        let (cluster, store, moving) = (test.cluster, test.store, test.projects[test.victim])
        let (key, sibling) = (KeyNames.outbox(.messages, of: moving), test.sibling)
        try store.prepare(.messages)
        for project in test.projects + [sibling] { test.add(to: project) }
        let (slot, source, target) = (
            cluster.slot(ofKey: key), cluster.masters[test.victim], cluster.masters[(test.victim + 1) % 3]
        )
        cluster.beginMove(slot, from: source, to: target)
        #expect(projects(try test.take()) == (test.others + [sibling]).sorted())
        cluster.finishMove(slot, from: source, to: target)
        let isServed = try eventually { projects(try test.retake()) == [moving] }
        #expect(isServed)
    }

    @Test("items that no replica confirms are not sent, and items of other nodes are")
    func unconfirmed() async throws {
        let test = try await Deployment(hasReplicas: true)
        try test.store.prepare(.messages)
        test.cluster.replicas[test.victim].kill()
        for project in test.projects { test.add(to: project) }
        #expect(projects(try test.take()) == (test.others).sorted())
        #expect(try test.retake().isEmpty)
        // The dispatcher gets these items again once their master has a replica.
        try test.cluster.replicas[test.victim].restart()
        let isServed = try eventually { projects(try test.retake()) == [test.projects[test.victim]] }
        #expect(isServed)
    }
}

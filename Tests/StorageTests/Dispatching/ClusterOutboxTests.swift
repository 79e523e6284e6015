import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Outboxes on a real Redis Cluster with one failing node.
@Suite struct ClusterOutboxTests {
    /// A project on each node, with a store for each project, as dispatchers have.
    private struct Deployment {
        let cluster: RedisCluster
        /// A store of all projects, as workers have.
        let shared: Store
        /// One project on each master.
        let projects: [String]
        /// Another project on the victim.
        let sibling: String
        /// The index of a master without the settings, which each new connection reads.
        let victim: Int
        private let stores: [String: Store]

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
            let all = self.projects + [sibling]
            shared = Store(configuration, shards: .standard, projects: all)
            stores = Dictionary(
                uniqueKeysWithValues: all.map {
                    ($0, Store(configuration, shards: .standard, projects: [$0]))
                }
            )
        }

        var lost: String { projects[victim] }

        var others: [String] { projects.filter { $0 != lost } }

        func store(_ project: String) throws -> Store { try #require(stores[project]) }

        func prepare() throws {
            for store in stores.values { try store.prepare(.messages) }
        }

        /// Adds an item to a project, and returns whether its node has stored it.
        @discardableResult func add(to project: String) -> Bool {
            let key = KeyNames.outbox(.messages, of: project)
            return cluster.masters[cluster.index(ofKey: key)].cli("XADD", key, "*", "a", "b").contains("-")
        }

        func take(_ project: String, milliseconds: Int64 = 0) throws -> [OutboxItem] {
            try store(project).take(from: .messages, for: "one", atMost: 16, waitMilliseconds: milliseconds)
        }

        func takeWaiting(_ project: String) throws -> [OutboxItem] {
            try store(project).takeWaiting(from: .messages, for: "one", room: ["main": .items(99)], now: 0).items
        }

        /// Returns items that the dispatcher does not hold, but that are pending at it.
        func retake(_ project: String) throws -> [OutboxItem] {
            try store(project).retake(from: .messages, for: "one", except: [])
        }

        func takeAbandoned(_ project: String) throws -> [OutboxItem] {
            try store(project).takeAbandoned(from: .messages, for: "two", atMost: 16, idleMilliseconds: 0)
        }
    }

    private let postponement = Postponement(
        delayMilliseconds: 0,
        until: 1 << 50,
        destinations: ["main"],
        history: AttemptHistory()
    )

    @Test("while a node is down, outboxes on other nodes are served, and its own once it is back without data")
    func lostNode() async throws {
        let test = try await Deployment()
        var reports: [String] = []
        test.shared.onPartialFailure = { reports.append($0.description) }
        try test.prepare()
        for project in test.projects {
            test.add(to: project)
            let items = try test.take(project)
            #expect(items.count == 1)
            try test.store(project).postpone(items.map { ($0, postponement) }, for: "one")
            test.add(to: project)
        }
        #expect(try test.shared.backlog(of: .messages).items == 6)
        #expect(reports.isEmpty)

        test.cluster.masters[test.victim].kill()
        #expect(try test.shared.backlog(of: .messages).items == 4)
        #expect(!reports.isEmpty)
        for report in reports { #expect(!report.contains("dt:{") && report.contains("failed: "), "\(report)") }
        #expect(try test.shared.memoryUse() == nil)
        for project in test.others {
            let store = try test.store(project)
            let items = try test.take(project)
            #expect(items.count == 1)
            #expect(try test.retake(project).isEmpty)
            #expect(try test.takeWaiting(project).count == 1)
            try store.touch(items, of: .messages, for: "one")
            #expect(try test.takeAbandoned(project).count == 2)
            try store.postpone(items.map { ($0, postponement) }, for: "two")
            try store.leave(.messages, "three")
            try store.prepare(.messages)
        }
        let store = try test.store(test.lost)
        #expect(throws: StoreUnavailable.self) { try test.take(test.lost) }
        #expect(throws: StoreUnavailable.self) { try test.retake(test.lost) }
        #expect(throws: StoreUnavailable.self) { try test.takeWaiting(test.lost) }
        #expect(throws: StoreUnavailable.self) { try test.takeAbandoned(test.lost) }
        #expect(throws: StoreUnavailable.self) { try store.messagesWithoutReceipt(by: 0, atMost: 1) }

        // The node's consumer groups are lost with its data.
        try test.cluster.masters[test.victim].restart()
        #expect(eventually { test.add(to: test.lost) })
        #expect(eventually { (try? store.prepare(.messages)) != nil })
        #expect(try test.take(test.lost).count == 1)
    }

    @Test("the items of a node that hangs are taken once it continues")
    func hangingNode() async throws {
        let test = try await Deployment(timeout: .milliseconds(500))
        #expect(eventually { (try? test.prepare()) != nil })
        let hanging = test.cluster.masters[test.victim]
        test.add(to: test.lost)
        hanging.pause()
        defer { hanging.resume() }
        #expect(throws: StoreUnavailable.self) { try test.take(test.lost, milliseconds: 100) }
        hanging.resume()
        #expect(
            eventually {
                [try? test.retake(test.lost), try? test.take(test.lost)].contains { $0?.count == 1 }
            }
        )
    }

    @Test("an operation fails if no node is available")
    func lostCluster() async throws {
        let test = try await Deployment()
        try test.prepare()
        for master in test.cluster.masters { master.kill() }
        #expect(throws: StoreUnavailable.self) { try test.prepare() }
        #expect(throws: StoreUnavailable.self) { try test.take(test.sibling) }
        #expect(throws: StoreUnavailable.self) { try test.shared.memoryUse() }
        #expect(throws: StoreUnavailable.self) { try test.shared.backlog(of: .messages) }
    }

    @Test("a dispatcher waits for items in a cluster")
    func waits() async throws {
        let test = try await Deployment()
        try test.prepare()
        let key = KeyNames.outbox(.messages, of: test.lost)
        try test.cluster.masters[test.victim].whenBlocking(send: "XADD", key, "*", "a", "b")
        let start = ContinuousClock.now
        #expect(try test.take(test.lost, milliseconds: 60_000).count == 1)
        #expect(.now - start < .seconds(30))
    }

    @Test("items whose slot is being moved are sent when it has been moved, and other items of the node immediately")
    func movingSlot() async throws {
        let test = try await Deployment(hasReplicas: true)
        let (cluster, moving) = (test.cluster, test.lost)
        let key = KeyNames.outbox(.messages, of: moving)
        try test.prepare()
        for project in test.projects + [test.sibling] { test.add(to: project) }
        let (slot, source, target) = (
            cluster.slot(ofKey: key), cluster.masters[test.victim], cluster.masters[(test.victim + 1) % 3]
        )
        cluster.beginMove(slot, from: source, to: target)
        for project in test.others + [test.sibling] { #expect(try test.take(project).count == 1) }
        #expect(throws: StoreUnavailable.self) { try test.take(moving) }
        cluster.finishMove(slot, from: source, to: target)
        let isServed = eventually { (try? test.retake(moving))?.count == 1 }
        #expect(isServed)
    }

    @Test("items that no replica confirms are not sent, and items of other nodes are")
    func unconfirmed() async throws {
        let test = try await Deployment(hasReplicas: true)
        try test.prepare()
        test.cluster.replicas[test.victim].kill()
        for project in test.projects { test.add(to: project) }
        for project in test.others { #expect(try test.take(project).count == 1) }
        #expect(throws: StoreUnavailable.self) { try test.take(test.lost) }
        #expect(throws: StoreUnavailable.self) { try test.retake(test.lost) }
        // The dispatcher gets these items again once their master has a replica.
        try test.cluster.replicas[test.victim].restart()
        let isServed = eventually { (try? test.retake(test.lost))?.count == 1 }
        #expect(isServed)
    }
}

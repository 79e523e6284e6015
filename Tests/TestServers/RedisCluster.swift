import Glibc
import Processes
import Synchronization

/// A real Redis Cluster on 127.0.0.1: three masters with a third of the slots each, and optionally a replica for each.
///
/// The servers stop when the value is released.
public final class RedisCluster: Sendable {
    /// The number of masters.
    public static let masterCount = 3
    private static let slotCount = 16_384
    private static let starts = Mutex(Starts())

    /// The clusters that are starting. More at once would slow the machine down so much that nodes time out.
    private struct Starts {
        private static let maximum = 3
        var present = 0

        mutating func begin() -> Bool {
            guard present < Self.maximum else { return false }
            present += 1
            return true
        }
    }

    /// The servers that were masters at first, in the order of their slots.
    public let masters: [RedisServer]
    /// The servers that were replicas at first, in the order of their masters; empty without replicas.
    public let replicas: [RedisServer]
    /// Starts all servers, and returns when each knows the others and all slots are served. This takes about three
    /// seconds, two of which Redis makes each master wait. Other tasks can run meanwhile.
    ///
    /// - Parameters:
    ///   - isPersistent: whether data survives the restart of a server.
    ///   - hasReplicas: whether each master has a replica, which is promoted if the master fails.
    ///   - user: the only user with access; nil for no authentication.
    ///   - tls: the certificates; nil for a cluster without TLS. With them, clients and nodes use TLS only.
    ///   - nodeTimeoutMilliseconds: the time without a reply after which a node counts as failed.
    ///   - settings: additional lines of `redis.conf`.
    /// - Returns: the running cluster.
    /// - Throws: ``StartError`` or ``ServerFailure``
    public static func start(
        isPersistent: Bool = false,
        hasReplicas: Bool = false,
        user: RedisServer.User? = nil,
        tls: RedisServer.TLS? = nil,
        nodeTimeoutMilliseconds: Int = 15_000,
        settings: [String] = []
    ) async throws -> RedisCluster {
        while !starts.withLock({ $0.begin() }) { try await Task.sleep(for: .milliseconds(50)) }
        defer { starts.withLock { $0.present -= 1 } }
        let servers = try inParallel(masterCount * (hasReplicas ? 2 : 1)) { _ in
            var lines = [
                // With a short timeout, the nodes learn of each other sooner.
                "cluster-enabled yes", "cluster-port \(FreePort.next())", "cluster-node-timeout 1500",
                "cluster-replica-validity-factor 0", "repl-diskless-sync-delay 0", "cluster-config-file nodes.conf",
                // A machine that stalls during this short timeout must not cause a failover.
                "cluster-replica-no-failover yes",
            ]
            if let user { lines += ["masteruser \(user.name)", "masterauth \(user.password)"] }
            if tls != nil { lines += ["tls-cluster yes", "tls-replication yes"] }
            return try RedisServer.start(
                isPersistent: isPersistent,
                user: user,
                tls: tls,
                settings: lines + settings
            )
        }
        let cluster = RedisCluster(servers)
        try await cluster.form()
        for server in servers {
            server.cli("CONFIG", "SET", "cluster-node-timeout", "\(nodeTimeoutMilliseconds)")
            server.cli("CONFIG", "SET", "cluster-replica-no-failover", "no")
            server.cli("CONFIG", "REWRITE")
        }
        return cluster
    }

    private init(_ servers: [RedisServer]) {
        masters = Array(servers.prefix(Self.masterCount))
        replicas = Array(servers.dropFirst(Self.masterCount))
    }

    /// All servers.
    public var servers: [RedisServer] { masters + replicas }

    /// The port for clients of a server.
    public func port(of server: RedisServer) -> UInt16 { server.tlsPort ?? server.port }

    /// The nodes as they are written in an address: `host:port,host:port,host:port`.
    public var list: String { masters.map { "127.0.0.1:\(port(of: $0))" }.joined(separator: ",") }

    /// Returns the index of the master that had a key's slot at first.
    public func index(ofKey key: String) -> Int {
        slot(ofKey: key) * Self.masterCount / Self.slotCount
    }

    /// Returns a key for each of the first masters, beginning with a prefix.
    public func keys(_ prefix: String) -> [String] {
        (0..<Self.masterCount).map { index in
            (0...).lazy.map { "\(prefix)-\($0)" }.first { self.index(ofKey: $0) == index } ?? prefix
        }
    }

    /// Returns the slot of a key, as the server computes it.
    public func slot(ofKey key: String) -> Int {
        servers.lazy.filter { $0.processID != nil }.compactMap { Int($0.cli("CLUSTER", "KEYSLOT", key)) }.first ?? 0
    }

    /// Moves a slot with its keys to another master, as `redis-cli --cluster reshard` does.
    public func move(_ slot: Int, from source: RedisServer, to target: RedisServer) {
        beginMove(slot, from: source, to: target)
        finishMove(slot, from: source, to: target)
    }

    /// Begins to move a slot: new keys are created on the target, and existing keys stay on the source.
    public func beginMove(_ slot: Int, from source: RedisServer, to target: RedisServer) {
        target.cli("CLUSTER", "SETSLOT", "\(slot)", "IMPORTING", id(of: source))
        source.cli("CLUSTER", "SETSLOT", "\(slot)", "MIGRATING", id(of: target))
    }

    /// Moves a key of a slot that is being moved.
    public func moveKey(_ key: String, from source: RedisServer, to target: RedisServer) {
        moveKeys([key], from: source, to: target)
    }

    private func moveKeys(_ keys: [String], from source: RedisServer, to target: RedisServer) {
        let login = target.user.map { ["AUTH2", $0.name, $0.password] } ?? []
        source.cli(["MIGRATE", "127.0.0.1", "\(port(of: target))", "", "0", "20000"] + login + ["KEYS"] + keys)
    }

    /// Moves all remaining keys of a slot that is being moved, and assigns the slot to the target.
    public func finishMove(_ slot: Int, from source: RedisServer, to target: RedisServer) {
        _ = eventually {
            let keys = source.cli("CLUSTER", "GETKEYSINSLOT", "\(slot)", "100").split(separator: "\n").map(String.init)
            if !keys.isEmpty { moveKeys(keys, from: source, to: target) }
            return keys.isEmpty
        }
        for server in [target, source] { server.cli("CLUSTER", "SETSLOT", "\(slot)", "NODE", id(of: target)) }
    }

    /// Waits until all running servers agree that a server is the master of a slot.
    public func waitForMaster(_ server: RedisServer, of slot: Int) -> Bool {
        eventually {
            servers.filter { $0.processID != nil }.allSatisfy { observer in
                let nodes = observer.cli("CLUSTER", "NODES").split(separator: "\n")
                return nodes.contains { $0.contains(":\(server.port)@") && Self.line($0, has: slot) }
            }
        }
    }

    private static func line(_ line: Substring, has slot: Int) -> Bool {
        line.split(separator: " ").dropFirst(8).contains { range in
            let ends = range.split(separator: "-").compactMap { Int($0) }
            return ends.first.map { $0 <= slot } == true && ends.last.map { $0 >= slot } == true
        }
    }

    /// Returns the id under which the nodes know a server.
    public func id(of server: RedisServer) -> String { server.cli("CLUSTER", "MYID") }

    /// Whether a server is a master now, by its own report.
    public func isMaster(_ server: RedisServer) -> Bool { server.cli("ROLE").hasPrefix("master") }

    private func form() async throws {
        for (index, master) in masters.enumerated() {
            let first = (index * Self.slotCount + Self.masterCount - 1) / Self.masterCount
            let last = ((index + 1) * Self.slotCount + Self.masterCount - 1) / Self.masterCount - 1
            master.cli("CLUSTER", "ADDSLOTSRANGE", "\(first)", "\(last)")
            // Different epochs at the start, because nodes with the same epoch would first have to agree on new ones.
            master.cli("CLUSTER", "SET-CONFIG-EPOCH", "\(index + 1)")
        }
        var lastMeeting: ContinuousClock.Instant?
        try await wait("do not know each other", servers) { server in
            // A node that does not reply within the node timeout is forgotten.
            if lastMeeting.map({ $0.duration(to: .now) > .seconds(3) }) != false {
                meet()
                lastMeeting = .now
            }
            return server.cli("CLUSTER", "INFO").contains("cluster_known_nodes:\(servers.count)")
        }
        for (replica, master) in zip(replicas, masters) {
            try await wait("have no replica", [replica]) { $0.cli("CLUSTER", "REPLICATE", id(of: master)) == "OK" }
        }
        try await wait("do not serve all slots", servers) { $0.cli("CLUSTER", "INFO").contains("cluster_state:ok") }
        guard !replicas.isEmpty else { return }
        try await wait("do not know all replicas", servers) { server in
            server.cli("CLUSTER", "SLOTS").split(separator: "\n").filter { $0.count == 40 }.count == servers.count
        }
        try await wait("have no replica in sync", masters) { $0.cli("INFO", "replication").contains("state=online") }
    }

    private func meet() {
        for server in servers.dropFirst() {
            masters[0].cli("CLUSTER", "MEET", "127.0.0.1", "\(port(of: server))", busPort(of: server))
        }
    }

    private func busPort(of server: RedisServer) -> String {
        String(server.cli("CONFIG", "GET", "cluster-port").split(separator: "\n").last ?? "")
    }

    /// Waits until a condition is true for each of some servers, one after another.
    private func wait(
        _ failure: String,
        _ servers: [RedisServer],
        _ condition: (RedisServer) -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(60)
        for server in servers {
            while !condition(server) {
                guard .now < end else {
                    throw ServerFailure(description: "the nodes \(failure): \(server.log.suffix(500))")
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}

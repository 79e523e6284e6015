import Synchronization
import TestServers

/// A Redis server that becomes a Redis Cluster and a single server again, by the commands of `systemd/redis.md`.
final class GrowingCluster: Sendable {
    /// The server that has all data at first.
    let first: RedisServer
    private let busPort = FreePort.next()
    private let others = Mutex<[RedisServer]>([])

    init() throws {
        first = try RedisServer.start(isPersistent: true)
    }

    private var nodes: [RedisServer] { [first] + others.withLock { $0 } }

    private static func settings(busPort: UInt16) -> [String] {
        // The tests need no delay in which more replicas could join a transfer.
        ["cluster-enabled yes", "cluster-port \(busPort)", "repl-diskless-sync-delay 0"]
    }

    /// Returns the `nodes.conf` of a node that has all slots.
    func makeNodesFile() throws -> String {
        let empty = try RedisServer.start(settings: Self.settings(busPort: FreePort.next()))
        empty.cli("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
        empty.stop()
        return empty.read("nodes.conf")
    }

    /// Restarts the first server as the only node of a cluster.
    func becomeCluster(_ nodesFile: String) throws {
        try first.restart(with: Self.settings(busPort: busPort), files: ["nodes.conf": nodesFile])
    }

    /// Restarts the only node as a server without a cluster.
    func becomeServer() throws {
        try first.restart(with: ["cluster-enabled no"])
    }

    /// Adds an empty master, and returns when all nodes know it.
    func addMaster() throws -> RedisServer {
        let node = try RedisServer.start(isPersistent: true, settings: Self.settings(busPort: FreePort.next()))
        try first.cluster("add-node", node: "127.0.0.1:\(node.port)")
        others.withLock { $0.append(node) }
        try wait("know each other") { isAgreed }
        return node
    }

    /// Adds a replica, and returns when all nodes know it and it is in sync.
    @discardableResult func addReplica(of master: RedisServer) throws -> RedisServer {
        // With --cluster-slave, redis-cli does not wait until the new node knows its master, and may fail.
        let replica = try addMaster()
        let (id, masterID) = (replica.cli("CLUSTER", "MYID"), master.cli("CLUSTER", "MYID"))
        try wait("take a replica") { replica.cli("CLUSTER", "REPLICATE", masterID) == "OK" }
        // Otherwise it could get slots, like an empty master.
        try wait("know the replica") {
            nodes.allSatisfy { node in
                node.cli("CLUSTER", "NODES").split(separator: "\n").contains {
                    $0.hasPrefix(id) && $0.contains("slave \(masterID)")
                }
            }
        }
        try wait("have a replica in sync") {
            master.cli("INFO", "replication").contains("port=\(replica.port),state=online")
        }
        return replica
    }

    /// Distributes the slots and their keys evenly among all masters.
    func spreadSlots() throws {
        try first.cluster("rebalance", ["--cluster-use-empty-masters", "--cluster-pipeline", "100"])
    }

    /// Moves all slots to the first server, and removes the other nodes.
    func removeOthers() throws {
        let others = others.withLock { $0 }
        let masters = others.filter { $0.cli("ROLE").hasPrefix("master") }.map { $0.cli("CLUSTER", "MYID") }
        let replicas = others.map { $0.cli("CLUSTER", "MYID") }.filter { !masters.contains($0) }
        // A master without slots would become a replica, which makes redis-cli fail.
        for node in nodes { node.cli("CONFIG", "SET", "cluster-allow-replica-migration", "no") }
        let weights = ["--cluster-weight"] + masters.map { "\($0)=0" }
        try first.cluster("rebalance", weights + ["--cluster-pipeline", "100"])
        try wait("agree") { isAgreed }
        for id in replicas + masters { try first.cluster("del-node", [id]) }
        for node in others { node.stop() }
        self.others.withLock { $0 = [] }
    }

    /// Whether all nodes know each other and agree about the slots.
    private var isAgreed: Bool {
        let nodes = nodes
        return nodes.allSatisfy { node in
            let known = node.cli("CLUSTER", "NODES").split(separator: "\n")
            return known.count == nodes.count && !known.contains { $0.contains("handshake") || $0.contains("fail") }
        } && (try? first.cluster("check")) != nil
    }

    private func wait(_ what: String, _ condition: () -> Bool) throws {
        guard eventually(within: .seconds(60), every: .milliseconds(50), condition) else {
            let states = nodes.map { $0.cli("CLUSTER", "NODES") }.joined(separator: "\n\n")
            throw ServerFailure(description: "the nodes do not \(what):\n\(states)")
        }
    }
}

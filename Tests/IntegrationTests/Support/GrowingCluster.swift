import Processes
import Synchronization
import TestServers

/// A Redis Cluster that begins with one node and grows, by the commands of `systemd/redis.md`.
final class GrowingCluster: Sendable {
    /// The node that has all slots at first.
    let first: RedisServer
    private let others = Mutex<[RedisServer]>([])

    /// Starts an empty node that has all slots.
    init() throws {
        first = try RedisServer.start(isPersistent: true, settings: Self.settings)
        first.cli("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
    }

    /// Starts a node that follows a server, and returns when the node has the server's data.
    init(following server: RedisServer) throws {
        var snippet = try Self.snippets()[0]
        try snippet.replace("chown redis:redis /var/lib/redis/nodes.conf", by: "")
        try snippet.replace("cat > /var/lib/redis/nodes.conf", by: "cat")
        try snippet.replace("10.0.0.5:6379@16379", by: "127.0.0.1:\(server.port)@\(FreePort.next())")
        let nodesFile = try Self.run(snippet.text)
        first = try RedisServer.start(
            isPersistent: true,
            settings: Self.settings + ["cluster-node-timeout 31536000000"],
            files: ["nodes.conf": nodesFile]
        )
        try wait("follow the server") { first.cli("INFO", "replication").contains("master_link_status:up") }
    }

    /// The address for workers.
    var address: String { "redis+cluster://127.0.0.1:\(first.port)" }

    private var nodes: [RedisServer] { [first] + others.withLock { $0 } }

    private static var settings: [String] {
        // The tests need no delay in which more replicas could join a transfer.
        ["cluster-enabled yes", "cluster-port \(FreePort.next())", "repl-diskless-sync-delay 0"]
    }

    /// The commands of `systemd/redis.md`: write `nodes.conf`, take over from the server, clean up.
    private static func snippets() throws -> [GuideSnippet] {
        let all = try GuideSnippet.all(in: "systemd/redis.md", under: "From one server to a Cluster", language: "sh")
        guard all.count == 3 else { throw ServerFailure(description: "redis.md has \(all.count) scripts") }
        return all
    }

    private static func run(_ commands: String) throws -> String {
        let finished = try FinishedProcess.run("sh", ["-c", commands], atMost: .seconds(60))
        guard case .exited(0) = finished.status else {
            throw ServerFailure(description: "\(commands)\n\(finished.output)\(finished.errors)")
        }
        return finished.output
    }

    /// Makes the first node the master of all slots, and the server that it follows a replica of the node.
    func takeOver(from server: RedisServer) throws {
        let snippets = try Self.snippets()
        var takeover = snippets[1]
        try takeover.replace("-h 10.0.0.5 -p 6379", by: "-p \(server.port)")
        try takeover.replace("-h 10.0.0.6 -p 6379", by: "-p \(first.port)")
        try takeover.replace("REPLICAOF 10.0.0.6 6379", by: "REPLICAOF 127.0.0.1 \(first.port)")
        let output = try Self.run(takeover.text + snippets[2].text)
        guard output.hasSuffix("\nold: slave up, new: master\nOK\nOK\nOK\n") else {
            throw ServerFailure(description: "no takeover: \(output)")
        }
    }

    /// Adds an empty master, and returns when all nodes know it.
    func addMaster() throws -> RedisServer {
        let node = try RedisServer.start(isPersistent: true, settings: Self.settings)
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

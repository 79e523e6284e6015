import TestServers
import Testing

@testable import Redis

/// A real cluster with replicas and a failing master.
@Suite struct ClusterFailoverTests {
    private let count = Script(name: "count", source: Array("return redis.call('INCR', KEYS[1])".utf8))

    @Test("commands continue after a master was killed, and a request that has called a script waits for the new one")
    func killed() async throws {
        let cluster = try await RedisCluster.start(hasReplicas: true, nodeTimeoutMilliseconds: 1500)
        let configuration = try cluster.configuration()
        let connection = Connection(configuration)
        let keys = cluster.keys("key")
        let deadline = ContinuousClock.now + .seconds(120)
        for key in keys {
            #expect(try connection.run(count, keys: ["key": key], arguments: [:], deadline: deadline).integer == 1)
        }
        #expect(cluster.masters[0].cli("WAIT", "1", "5000") == "1")
        #expect(eventually { cluster.replicas[0].cli("DBSIZE") == "1" })
        cluster.masters[0].kill()
        #expect(try connection.send(Command("GET", .text(keys[1]))).text == "1")
        // The first attempt may end in the middle of a reply. The request then waits until the replica is promoted.
        var total: Int64?
        #expect(
            await waitUntil {
                total = try? connection.run(count, keys: ["key": keys[0]], arguments: [:], deadline: deadline).integer
                return total != nil
            }
        )
        #expect(total == 2)
        #expect(cluster.isMaster(cluster.replicas[0]))
        #expect(try Connection(configuration).send(Command("GET", .text(keys[0]))).text == "2")
    }

    @Test("a paused master that returns as a replica gets no more commands")
    func paused() async throws {
        let cluster = try await RedisCluster.start(hasReplicas: true, nodeTimeoutMilliseconds: 1500)
        let configuration = try cluster.configuration(commandTimeout: .seconds(2))
        let (connection, other) = (Connection(configuration), Connection(configuration))
        let key = cluster.keys("key")[1]
        for connection in [connection, other] { _ = try connection.send(Command("SET", .text(key), "before")) }
        cluster.masters[1].pause()
        #expect(
            await waitUntil {
                (try? connection.send(Command("SET", .text(key), "after"))) == .status("OK")
            }
        )
        cluster.masters[1].resume()
        #expect(await waitUntil { !cluster.isMaster(cluster.masters[1]) })
        #expect(try other.send(Command("GET", .text(key))).text == "after")
        // A connection with the old map is redirected.
        configuration.clusterWatch?.cluster.moved(Slot(ofKey: key.utf8), to: cluster.masters[1].tcpEndpoint)
        #expect(try other.send(Command("SET", .text(key), "again")) == .status("OK"))
        #expect(cluster.replicas[1].cli("GET", key) == "again")
    }

    @Test("a confirmed call waits for the replica of its node")
    func confirmed() async throws {
        let cluster = try await RedisCluster.start(hasReplicas: true)
        let configuration = try cluster.configuration(
            replicaConfirmation: ReplicaConfirmation(replicas: 1, milliseconds: 4000)
        )
        let connection = Connection(configuration)
        func run(_ key: String) throws(RedisError) -> Int64? {
            try connection.run(count, keys: ["key": key], arguments: [:], isConfirmed: true).integer
        }
        let keys = cluster.keys("key")
        for (key, replica) in zip(keys, cluster.replicas) {
            #expect(try run(key) == 1)
            #expect(replica.cli("DBSIZE") == "1")
        }
        cluster.replicas[2].pause()
        defer { cluster.replicas[2].resume() }
        #expect(try run(keys[0]) == 2)
        #expect(throws: RedisError.notReplicated(replicas: 0, of: 1)) { try run(keys[2]) }
    }

    @Test("earlier writes are not confirmed by the replica of a node to which their slot moves")
    func confirmedAfterMove() async throws {
        let cluster = try await RedisCluster.start(hasReplicas: true)
        let connection = Connection(
            try cluster.configuration(replicaConfirmation: ReplicaConfirmation(replicas: 1, milliseconds: 4000))
        )
        let count = count
        connection.slotMark = { Command(count, keys: ["key": "{\($0)}mark"], arguments: [:]) }
        let keys = cluster.keys("key")
        #expect(try connection.confirmWrites(inSlotsOf: keys).isEmpty)
        let (slot, source, target) = (cluster.slot(ofKey: keys[0]), cluster.masters[0], cluster.masters[1])
        cluster.beginMove(slot, from: source, to: target)
        cluster.moveKey("{\(keys[0])}mark", from: source, to: target)
        let failures = try connection.confirmWrites(inSlotsOf: keys)
        #expect(failures == [keys[0]: .unavailable("a slot is being moved to another node of the cluster")])
        cluster.finishMove(slot, from: source, to: target)
        #expect(eventually { (try? connection.confirmWrites(inSlotsOf: keys))?.isEmpty == true })
        cluster.replicas[2].pause()
        defer { cluster.replicas[2].resume() }
        #expect(try connection.confirmWrites(inSlotsOf: keys) == [keys[2]: .notReplicated(replicas: 0, of: 1)])
    }

    @Test("writes confirmed while a replica takes over from a serving master are on the new master")
    func planned() async throws {
        let cluster = try await RedisCluster.start(hasReplicas: true)
        let configuration = try cluster.configuration(
            replicaConfirmation: ReplicaConfirmation(replicas: 1, milliseconds: 4000)
        )
        let connection = Connection(configuration)
        let key = cluster.keys("numbers")[1]
        let add = Script(name: "add", source: Array("return redis.call('SADD', KEYS[1], ARGV[1])".utf8))
        var confirmed: Set<Int64> = []
        var number: Int64 = 0
        func writeUntil(_ isOver: () -> Bool) async -> Bool {
            await waitUntil {
                number += 1
                let reply = try? connection.run(
                    add,
                    keys: ["key": key],
                    arguments: ["number": .integer(number)],
                    isConfirmed: true,
                    deadline: .now + .seconds(5)
                )
                if reply != nil { confirmed.insert(number) }
                return reply != nil && isOver()
            }
        }
        #expect(await writeUntil { true })
        let (former, new) = (cluster.masters[1], cluster.replicas[1])
        #expect(new.cli("CLUSTER", "FAILOVER") == "OK")
        #expect(await writeUntil { cluster.isMaster(new) })
        let isReplica = await waitUntil {
            former.cli("INFO", "replication").contains("master_link_status:up")
        }
        #expect(isReplica)
        #expect(await writeUntil { true })
        let kept = Set(new.cli("SMEMBERS", key).split(separator: "\n").compactMap { Int64($0) })
        #expect(confirmed.subtracting(kept) == [])
    }

    @Test("all nodes can restart one after the other, and no write is lost or executed twice")
    func restarted() async throws {
        let cluster = try await RedisCluster.start(isPersistent: true)
        let configuration = try cluster.configuration()
        let connection = Connection(configuration)
        let keys = cluster.keys("count")
        let read = Command("GET", .text(keys[0]))
        for (round, server) in ([nil] + cluster.masters).enumerated() {
            try server?.restart()
            for key in keys {
                // A request that has called a script waits until the node serves its slots again.
                let deadline = ContinuousClock.now + .seconds(60)
                connection.lastScript = deadline
                let reply = try connection.run(count, keys: ["key": key], arguments: [:], deadline: deadline)
                #expect(reply.integer == Int64(round + 1))
            }
            #expect(try connection.send(read).text == "\(round + 1)")
        }
    }
}

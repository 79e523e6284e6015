import TestServers
import Testing

@testable import Redis

/// Connections to a real cluster of three masters.
@Suite struct ClusterTests {
    private let cluster: RedisCluster
    private let connection: Connection
    private let count = Script(name: "count", source: Array("return redis.call('INCR', KEYS[1])".utf8))

    init() async throws {
        cluster = try await RedisCluster.start()
        connection = try cluster.connection()
    }

    @Test("commands, pipelines and scripts reach the node of their key, and replies are in order")
    func routing() throws {
        let keys = cluster.keys("key")
        for (key, server) in zip(keys, cluster.masters) {
            #expect(try connection.send(Command("SET", .text(key), .text(key))) == .status("OK"))
            #expect(server.cli("GET", key) == key)
        }
        let order = (0..<60).map { keys[$0 * 7 % 3] }
        let replies = try connection.pipeline(
            [Command("PING")] + order.map { Command("GET", .text($0)) } + [Command("GET", "missing")]
        )
        #expect(replies[0] == .status("PONG"))
        #expect(replies.dropFirst().dropLast().map(\.text) == order)
        #expect(replies.last == .null)
        for _ in 0..<2 {
            let replies = try connection.pipeline(
                cluster.keys("count").map { Command(count, keys: ["key": $0], arguments: [:]) }
            )
            #expect(Set(replies.map(\.integer)).count == 1)
            for key in cluster.keys("single") {
                #expect(try connection.run(count, keys: ["key": key], arguments: [:]).integer != nil)
            }
            // Afterwards the scripts are unknown.
            for server in cluster.masters { server.cli("SCRIPT", "FLUSH") }
        }
        #expect(try connection.send(Command("GET", .text(cluster.keys("count")[2]))).text == "2")
        let failing = Script(name: "failing", source: Array("this is no Lua".utf8))
        let error = #expect(throws: RedisError.self) {
            try connection.run(failing, keys: ["key": "x"], arguments: [:])
        }
        #expect(error?.description.contains("compiling") == true, "\(error as Any)")
    }

    @Test("every node is prepared on its first use, with keyed commands going to the node of the key")
    func preparation() throws {
        connection.onConnect = { connection throws(RedisError) in
            let replies = try connection.pipeline([
                Command("INCR", "prepared"), Command("SET", "whatever", "x"), Command("SCRIPT", "EXISTS", "x"),
                Command("CONFIG", "GET", "port"),
            ])
            let port = try replies[3].get().array?.last?.text ?? ""
            _ = try connection.pipeline([Command("INCR", "port-\(port)")])
        }
        for key in cluster.keys("key") { _ = try connection.send(Command("GET", .text(key))) }
        for key in cluster.keys("key") { _ = try connection.send(Command("GET", .text(key))) }
        #expect(try connection.send(Command("GET", "prepared")).text == "3")
        for server in cluster.masters {
            #expect(try connection.send(Command("GET", "port-\(server.port)")).text == "1")
        }
    }

    @Test("each server can be queried, and the layout changes when a slot moves")
    func layout() throws {
        let layout = try connection.layout()
        let ports = try layout.nodes.map { try connection.send(Command("CONFIG", "GET", "port"), to: $0) }
        #expect(Set(ports.compactMap { $0.array?.last?.text }) == Set(cluster.masters.map { "\($0.port)" }))
        #expect(try connection.layout() == layout)
        cluster.move(cluster.slot(ofKey: "key"), from: master(of: "key"), to: other(than: master(of: "key")))
        #expect(try connection.layout() != layout)
    }

    private func master(of key: String) -> RedisServer { cluster.masters[cluster.index(ofKey: key)] }

    private func other(than server: RedisServer) -> RedisServer {
        cluster.masters.first { $0.port != server.port } ?? server
    }

    @Test("commands follow a slot that has moved, and the other connections learn of the move")
    func moved() throws {
        let configuration = try cluster.configuration()
        let (one, two) = (Connection(configuration), Connection(configuration))
        for connection in [one, two] { _ = try connection.send(Command("INCR", "key")) }
        let (source, target) = (master(of: "key"), other(than: master(of: "key")))
        cluster.move(cluster.slot(ofKey: "key"), from: source, to: target)
        #expect(try one.run(count, keys: ["key": "key"], arguments: [:]).integer == 3)
        let slot = Slot(ofKey: "key".utf8)
        // The next node that is asked may not know of the move yet.
        #expect(eventually { configuration.clusterWatch?.cluster.state.map?.owner(of: slot) == target.tcpEndpoint })
        #expect(try two.pipeline([Command("INCR", "key"), Command("GET", "key")])[1].text == "4")
        #expect(target.cli("GET", "key") == "4")
    }

    @Test("commands find their keys while a slot is being moved")
    func ask() throws {
        let (source, target) = (master(of: "{tag}"), other(than: master(of: "{tag}")))
        for key in ["{tag}stays", "{tag}moves"] { _ = try connection.send(Command("SET", .text(key), "1")) }
        let slot = cluster.slot(ofKey: "{tag}")
        cluster.beginMove(slot, from: source, to: target)
        cluster.moveKey("{tag}moves", from: source, to: target)
        let deadline = ContinuousClock.now + .seconds(30)
        #expect(try connection.run(count, keys: ["key": "{tag}stays"], arguments: [:], deadline: deadline).integer == 2)
        #expect(try connection.run(count, keys: ["key": "{tag}moves"], arguments: [:], deadline: deadline).integer == 2)
        // A new key is created on the slot's new node.
        #expect(try connection.run(count, keys: ["key": "{tag}new"], arguments: [:], deadline: deadline).integer == 1)
        let replies = try connection.pipeline(
            ["{tag}moves", "{tag}stays", "{tag}new", "{tag}none"].map { Command("GET", .text($0)) }
        )
        #expect(replies.map(\.text) == ["2", "2", "1", nil])
        // The map is unchanged.
        let map = connection.configuration.clusterWatch?.cluster.state.map
        #expect(map?.owner(of: Slot(ofKey: "{tag}".utf8)) == source.tcpEndpoint)
        // With keys on both nodes, the command waits until the other key has been moved, too.
        let started = ContinuousClock.now
        let error = #expect(throws: RedisError.self) {
            try connection.send(Command("MGET", "{tag}moves", "{tag}stays"), deadline: .now + .milliseconds(300))
        }
        // The deadline may pass while the node responds.
        #expect(error?.isUnavailable == true || error == .timedOut, "\(error as Any)")
        #expect(started.duration(to: .now) >= .milliseconds(200))
        let cluster = cluster
        let values = try inParallel(2) { racer -> [String?]? in
            if racer == 1 {
                cluster.moveKey("{tag}stays", from: source, to: target)
                return nil
            }
            let other = try cluster.connection()
            return try other.send(Command("MGET", "{tag}moves", "{tag}stays"), deadline: deadline).array?.map(\.text)
        }
        #expect(values[0] == ["2", "2"])
        cluster.finishMove(slot, from: source, to: target)
        #expect(try connection.send(Command("GET", "{tag}new")).text == "1")
    }

    @Test("a command waits while its keys are on the slot's new node, except one that does not exist")
    func missingKey() throws {
        let (source, target) = (master(of: "{tag}"), other(than: master(of: "{tag}")))
        let (present, keys) = (["{tag}one", "{tag}two"], ["{tag}one", "{tag}two", "{tag}none"])
        for key in present { _ = try connection.send(Command("SET", .text(key), "1")) }
        let (cluster, slot) = (cluster, cluster.slot(ofKey: "{tag}"))
        cluster.beginMove(slot, from: source, to: target)
        for key in present { cluster.moveKey(key, from: source, to: target) }
        let configuration = try cluster.configuration(commandTimeout: .seconds(60))
        let values = try inParallel(2) { racer -> [String?]? in
            if racer == 1 {
                // The source has redirected the command as often, more than a command otherwise may be.
                let hasWaited = eventually {
                    let errors = target.cli("INFO", "errorstats").split(whereSeparator: \.isNewline)
                    let refused = errors.first { $0.hasPrefix("errorstat_TRYAGAIN:count=") }?.split(separator: "=").last
                    return refused.flatMap { Int($0) } ?? 0 > 6
                }
                #expect(hasWaited)
                cluster.finishMove(slot, from: source, to: target)
                return nil
            }
            var command = Command("MGET")
            for key in keys { command.append(key) }
            return try Connection(configuration).send(command).array?.map(\.text)
        }
        #expect(values[0] == ["1", "1", nil])
    }

    @Test("no command is lost or executed twice while slots are moved back and forth")
    func traffic() throws {
        let slot = cluster.slot(ofKey: "{tag}")
        let (source, target) = (master(of: "{tag}"), other(than: master(of: "{tag}")))
        let configuration = try cluster.configuration()
        let (count, cluster) = (count, cluster)
        _ = try inParallel(3) { racer in
            if racer == 0 {
                for _ in 0..<2 {
                    cluster.move(slot, from: source, to: target)
                    cluster.move(slot, from: target, to: source)
                }
                return
            }
            let connection = Connection(configuration)
            for call in 1...200 {
                let deadline = ContinuousClock.now + .seconds(30)
                let key = "{tag}\(racer)"
                let reply = try connection.run(count, keys: ["key": key], arguments: [:], deadline: deadline)
                #expect(reply.integer == Int64(call))
            }
        }
    }

    @Test("a cluster is found although some of its configured nodes are down")
    func seeds() throws {
        let nothing = "127.0.0.1:\(FreePort.next())"
        let list = "\(nothing),127.0.0.1:\(cluster.masters[2].port)"
        let connection = Connection(try cluster.configuration(list))
        for key in cluster.keys("key") { _ = try connection.send(Command("SET", .text(key), "x")) }
        let none = Connection(try cluster.configuration(nothing))
        let error = #expect(throws: RedisError.self) { try none.send(Command("GET", "key")) }
        #expect(error?.isUnavailable == true)
        #expect(error?.description.contains("tcp:\(nothing): cannot connect: Connection refused") == true)
    }

    @Test("a slot without a master is reported immediately, and a request that has called a script waits for one")
    func unserved() throws {
        let key = cluster.keys("key")[1]
        let server = cluster.masters[1]
        let slot = "\(cluster.slot(ofKey: key))"
        #expect(try connection.run(count, keys: ["key": key], arguments: [:]).integer == 1)
        #expect(server.cli("CLUSTER", "DELSLOTS", slot) == "OK")
        let start = ContinuousClock.now
        for end in [start + .seconds(60), nil] {
            let error = #expect(throws: RedisError.self) {
                try connection.run(count, keys: ["key": key], arguments: [:], deadline: end)
            }
            #expect(error?.isUnavailable == true, "\(error as Any)")
        }
        // The first call's deadline is later: each waits for the command timeout (5 s) at most.
        #expect(start.duration(to: .now) < .seconds(30))
        let (configuration, script) = (connection.configuration, count)
        let totals = try inParallel(2) { racer in
            if racer == 1 {
                server.cli("CLUSTER", "ADDSLOTS", slot)
                return Int64?.none
            }
            let connection = Connection(configuration)
            let deadline = ContinuousClock.now + .seconds(60)
            connection.lastScript = deadline
            return try connection.run(script, keys: ["key": key], arguments: [:], deadline: deadline).integer
        }
        #expect(totals[0] == 1 || totals[0] == 2)
    }

    @Test("commands for one node fail and those for others do not, if they may have different outcomes")
    func outcomes() async throws {
        let cluster = try await RedisCluster.start()
        let connection = try cluster.connection()
        let keys = cluster.keys("key")
        for key in keys { _ = try connection.send(Command("SET", .text(key), "x")) }
        cluster.masters[1].kill()
        let outcomes = connection.outcomes(of: keys.map { Command("GET", .text($0)) })
        #expect((try? outcomes[0].get())?.text == "x")
        #expect((try? outcomes[2].get())?.text == "x")
        #expect(throws: RedisError.self) { try outcomes[1].get() }
        // Nothing is sent if a node is known to be unreachable.
        let error = #expect(throws: RedisError.self) {
            try connection.pipeline(keys.map { Command("APPEND", .text($0), "y") })
        }
        #expect(error?.isUnavailable == true)
        #expect(cluster.masters[0].cli("STRLEN", keys[0]) == "1")
        // The other nodes notice that slots have no master, and refuse all commands.
        for server in [cluster.masters[0], cluster.masters[2]] {
            server.cli("CONFIG", "SET", "cluster-node-timeout", "1500")
        }
        let isDown = eventually {
            let end = ContinuousClock.now + .milliseconds(500)
            let error = #expect(throws: RedisError.self) {
                try connection.pipeline(keys.map { Command("GET", .text($0)) }, deadline: end)
            }
            // Only a call that never ends takes this long.
            #expect(end.duration(to: .now) < .seconds(20))
            if error?.isUnavailable != true { return false }
            return (try? connection.send(Command("GET", .text(keys[0])))) == nil
        }
        #expect(isDown)
    }
}

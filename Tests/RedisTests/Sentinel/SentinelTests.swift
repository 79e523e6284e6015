import Synchronization
import TestServers
import Testing

@testable import Redis

/// Connections to the master that Sentinels name.
@Suite struct SentinelTests {
    private func configuration(
        _ sentinels: StandInSentinel...,
        name: String = "main",
        connectTimeout: Duration = .seconds(10)
    ) throws -> ConnectionConfiguration {
        ConnectionConfiguration(
            servers: try ServerList(sentinels.map(\.endpoint), masterName: name),
            connectTimeout: connectTimeout,
            commandTimeout: .seconds(10),
            firstRetryDelay: .milliseconds(1),
            maxRetryDelay: .milliseconds(1)
        )
    }

    private func failure(_ connection: Connection) -> String? {
        let error = #expect(throws: RedisError.self) { try connection.send(Command("SET", "key", "value")) }
        #expect(error?.isUnavailable == true)
        return error?.description
    }

    @Test("the master that a Sentinel names is used")
    func master() throws {
        let redis = try RedisServer.start()
        let sentinel = try StandInSentinel(master: redis.port)
        let connection = Connection(try configuration(sentinel))
        #expect(try connection.send(Command("SET", "key", "value")) == .status("OK"))
        #expect(redis.cli("GET", "key") == "value")
    }

    @Test("a Sentinel that is down, silent or does not know the master leaves enough time for the next one")
    func others() throws {
        let redis = try RedisServer.start()
        let good = try StandInSentinel(master: redis.port)
        let (silent, ignorant) = (try StandInSentinel(master: redis.port), try StandInSentinel(master: nil))
        silent.fallSilent()
        let down: Endpoint = .tcp(host: "127.0.0.1", port: FreePort.next())
        let configuration = ConnectionConfiguration(
            servers: try ServerList(
                [down, silent.endpoint, ignorant.endpoint, good.endpoint],
                masterName: "main"
            ),
            connectTimeout: .seconds(8),
            commandTimeout: .seconds(10)
        )
        let connection = Connection(configuration)
        #expect(try connection.send(Command("PING")) == .status("PONG"))
        // From now on, the Sentinel that replied is asked first.
        #expect(configuration.watch?.sentinels.inOrder.first == good.endpoint)
    }

    @Test("a wrong name for the master is reported as such")
    func wrongName() throws {
        let redis = try RedisServer.start()
        let sentinel = try StandInSentinel(master: redis.port)
        let reason = failure(Connection(try configuration(sentinel, name: "other")))
        #expect(reason?.contains("\(sentinel.endpoint): it knows no master named other") == true)
    }

    @Test("a replica that a Sentinel considers the master is not used, but the master that another Sentinel names is")
    func lagging() throws {
        let redis = try RedisServer.start()
        let replica = try redis.startReplica()
        let (lagging, current) = (try StandInSentinel(master: replica.port), try StandInSentinel(master: redis.port))
        let reason = failure(Connection(try configuration(lagging)))
        #expect(reason?.contains("\(replica.tcpEndpoint): it is a replica, not the master") == true)
        let connection = Connection(try configuration(lagging, current))
        #expect(try connection.send(Command("SET", "key", "value")) == .status("OK"))
    }

    @Test("all connections leave a former master before their next command, although it still accepts writes")
    func formerMaster() throws {
        let (former, next) = (try RedisServer.start(), try RedisServer.start())
        let sentinel = try StandInSentinel(master: former.port)
        let configuration = try configuration(sentinel)
        let connections = (0..<4).map { _ in Connection(configuration) }
        for connection in connections { _ = try connection.send(Command("INCR", "count")) }
        #expect(eventually { sentinel.isHeard })
        sentinel.announce(next.port, of: "other")
        for connection in connections { _ = try connection.send(Command("INCR", "count")) }
        #expect(former.cli("GET", "count") == "8")
        sentinel.announce(next.port)
        #expect(eventually { configuration.watch?.sentinels.switchCount == 1 })
        for connection in connections { _ = try connection.send(Command("INCR", "count")) }
        #expect(former.cli("GET", "count") == "8")
        #expect(next.cli("GET", "count") == "4")
        // The new connections are then kept.
        let identity = try connections[0].send(Command("CLIENT", "ID"))
        #expect(try connections[0].send(Command("CLIENT", "ID")) == identity)
    }

    @Test("a promoted server is used before the failover ends, and Sentinels that name the former one are not followed")
    func promoted() throws {
        let (former, next) = (try RedisServer.start(), try RedisServer.start())
        let (leader, lagging) = (try StandInSentinel(master: former.port), try StandInSentinel(master: former.port))
        let configuration = try configuration(lagging, leader)
        let connections = (0..<4).map { _ in Connection(configuration) }
        for connection in connections { _ = try connection.send(Command("INCR", "count")) }
        #expect(eventually { leader.isHeardOnFailovers && (leader.isHeard || lagging.isHeard) })
        leader.promote(next.port)
        #expect(eventually { configuration.watch?.sentinels.switchCount == 1 })
        for connection in connections + [Connection(configuration)] {
            _ = try connection.send(Command("INCR", "count"))
        }
        #expect(former.cli("GET", "count") == "4")
        #expect(next.cli("GET", "count") == "5")
        leader.fallSilent()
        var impatient = configuration
        impatient.connectTimeout = .seconds(1)
        let reason = failure(Connection(impatient))
        let expected = "it names \(former.tcpEndpoint), which is being replaced"
        #expect(reason?.contains(expected) == true, "\(reason ?? "")")
        // The former master becomes the master again.
        lagging.announce(next.port)
        lagging.announce(former.port)
        #expect(eventually { (try? Connection(impatient).send(Command("GET", "count")).text) == "4" })
    }

    @Test("a new master is connected to at once, although the former one could not be reached a moment ago")
    func backoffOfFormerMaster() throws {
        let (former, next) = (try RedisServer.start(), try RedisServer.start())
        let sentinel = try StandInSentinel(master: former.port)
        var configuration = try configuration(sentinel)
        configuration.firstRetryDelay = .seconds(600)
        configuration.maxRetryDelay = .seconds(600)
        let connection = Connection(configuration)
        _ = try connection.send(Command("PING"))
        #expect(eventually { sentinel.isHeard })
        former.kill()
        for _ in 0..<2 { _ = failure(connection) }
        sentinel.announce(next.port)
        #expect(eventually { configuration.watch?.sentinels.switchCount == 1 })
        #expect(try connection.send(Command("PING")) == .status("PONG"))
    }

    @Test("a connection to a master that the Sentinels dispute is replaced after a second")
    func disputed() throws {
        let (known, other) = (try RedisServer.start(), try RedisServer.start())
        known.cli("SET", "name", "known")
        other.cli("SET", "name", "other")
        let sentinels = [try StandInSentinel(master: known.port), try StandInSentinel(master: known.port)]
        let configuration = try configuration(sentinels[0], sentinels[1])
        _ = try Connection(configuration).send(Command("PING"))
        #expect(eventually { sentinels.contains { $0.isHeard } })
        let heard = try #require(sentinels.first { $0.isHeard })
        let disputing = try #require(sentinels.first { $0 !== heard })
        heard.name(nil)
        disputing.name(other.port)
        let connection = Connection(configuration)
        #expect(try connection.send(Command("GET", "name")).text == "other")
        disputing.name(known.port)
        #expect(eventually { (try? connection.send(Command("GET", "name")).text) == "known" })
        #expect(configuration.watch?.sentinels.switchCount == 0)
    }

    @Test("a new master is noticed even if the watched Sentinel falls silent")
    func silentSentinel() throws {
        let (former, next) = (try RedisServer.start(), try RedisServer.start())
        let sentinels = [try StandInSentinel(master: former.port), try StandInSentinel(master: former.port)]
        let configuration = try configuration(sentinels[0], sentinels[1], connectTimeout: .seconds(4))
        let connection = Connection(configuration)
        _ = try connection.send(Command("INCR", "count"))
        #expect(eventually { sentinels.contains { $0.isHeard } })
        let heard = try #require(sentinels.first { $0.isHeard })
        heard.fallSilent()
        for sentinel in sentinels { sentinel.name(next.port) }
        #expect(eventually { configuration.watch?.sentinels.switchCount == 1 })
        _ = try connection.send(Command("INCR", "count"))
        #expect(former.cli("GET", "count") == "1")
        #expect(next.cli("GET", "count") == "1")
    }

    @Test("nothing is confirmed during a failover that began before the subscription")
    func earlierFailover() throws {
        let redis = try RedisServer.start()
        let sentinel = try StandInSentinel(master: redis.port)
        sentinel.replaceMaster()
        var configuration = try configuration(sentinel)
        configuration.replicaConfirmation = ReplicaConfirmation(replicas: 1, milliseconds: 10)
        let connection = Connection(configuration)
        let count = Script(name: "count", source: Array("return redis.call('INCR', KEYS[1])".utf8))
        #expect(
            eventually {
                do throws(RedisError) {
                    _ = try connection.run(count, keys: ["key": "count"], arguments: [:], isConfirmed: true)
                } catch {
                    return error == .unavailable("its master is being replaced")
                }
                return false
            }
        )
    }

    @Test("without Sentinels, existing connections are used, and new ones fail with the reasons")
    func withoutSentinels() throws {
        let redis = try RedisServer.start()
        var sentinel: StandInSentinel? = try StandInSentinel(master: redis.port)
        let endpoint = try #require(sentinel?.endpoint)
        let configuration = try configuration(#require(sentinel), connectTimeout: .seconds(5))
        let connection = Connection(configuration)
        let identity = try connection.send(Command("CLIENT", "ID"))
        sentinel = nil
        let reason = failure(Connection(configuration))
        #expect(reason?.contains("no Sentinel names a usable master: \(endpoint): ") == true, "\(reason ?? "")")
        for _ in 0..<5 { #expect(try connection.send(Command("CLIENT", "ID")) == identity) }
    }

    @Test("a command that a demoted master refuses is sent once to the new one, even one that is not repeatable")
    func demoted() throws {
        let former = try RedisServer.start()
        let next = try former.startReplica()
        let sentinel = try StandInSentinel(master: former.port)
        let connection = Connection(try configuration(sentinel))
        let script = Script(name: "count", source: Array("return redis.call('INCR', KEYS[1])".utf8))
        #expect(try connection.run(script, keys: ["key": "count"], arguments: [:]).integer == 1)
        let opened = ContinuousClock.now
        #expect(eventually { next.cli("GET", "count") == "1" })
        next.cli("REPLICAOF", "NO", "ONE")
        former.cli("REPLICAOF", "127.0.0.1", "\(next.port)")
        sentinel.name(next.port)
        // A new connection is kept for a second, so this test needs an older one.
        #expect(eventually { opened.duration(to: .now) > .seconds(1.1) })
        let deadline = ContinuousClock.now + .seconds(30)
        #expect(try connection.run(script, keys: ["key": "count"], arguments: [:], deadline: deadline).integer == 2)
        #expect(next.cli("GET", "count") == "2")
        #expect(try connection.pipeline([Command("INCR", "count")], deadline: deadline) == [.integer(3)])
    }

    @Test("a Sentinel that names no address is not followed", arguments: ["0", "65536", "x"])
    func malformed(port: String) {
        #expect(Endpoint(host: "127.0.0.1", port: port) == nil)
        #expect(Endpoint(host: "a b", port: "6379") == nil)
        #expect(Endpoint(host: "", port: "6379") == nil)
        #expect(Endpoint(host: "::1", port: "6379") == .tcp(host: "::1", port: 6379))
    }
}

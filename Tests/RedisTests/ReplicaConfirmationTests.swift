import TestServers
import Testing

@testable import Redis

/// Scripts that wait until a replica has their writes.
@Suite struct ReplicaConfirmationTests {
    let redis: RedisServer
    let count = Script(name: "count", source: Array("return redis.call('INCR', KEYS[1])".utf8))

    init() throws { redis = try RedisServer.start() }

    private func connection(_ replicas: Int, milliseconds: Int = 5000) -> Connection {
        Connection(
            ConnectionConfiguration(
                servers: ServerList(redis.unixEndpoint),
                connectTimeout: .seconds(5),
                commandTimeout: .seconds(8),
                replicaConfirmation: ReplicaConfirmation(replicas: replicas, milliseconds: milliseconds)
            )
        )
    }

    @Test("a confirmed script's writes are on the replica, whether the server had the script or not")
    func confirmed() throws {
        let replica = try redis.startReplica()
        let connection = connection(1)
        for total in 1...4 as ClosedRange<Int64> {
            let reply = try connection.run(count, keys: ["key": "total"], arguments: [:], isConfirmed: true)
            #expect(reply == .integer(total))
            #expect(replica.cli("GET", "total") == String(total))
            if total % 2 == 0 { redis.cli("SCRIPT", "FLUSH") }
        }
    }

    @Test("too few replicas are reported in time; the script has run once, and the connection stays usable")
    func tooFew() throws {
        let replica = try redis.startReplica()
        let connection = connection(1, milliseconds: 200)
        _ = try connection.send(Command("PING"))
        replica.pause()
        let (duration, error) = measured { () throws(RedisError) in
            _ = try connection.run(count, keys: ["key": "total"], arguments: [:], isConfirmed: true)
        }
        #expect(error == .notReplicated(replicas: 0, of: 1))
        #expect(error.map { "\($0)" } == "Redis has the change, but 0 of 1 replicas confirmed it in time")
        #expect(duration >= .milliseconds(190))
        #expect(redis.cli("GET", "total") == "1")
        #expect(try connection.run(count, keys: ["key": "total"], arguments: [:]) == .integer(2))
        replica.resume()
        #expect(
            eventually {
                (try? connection.run(count, keys: ["key": "total"], arguments: [:], isConfirmed: true)) != nil
            }
        )
    }

    @Test("an error of the mark does not deny that the script has run")
    func mark() throws {
        let connection = connection(1)
        let confirmation = try #require(ReplicaConfirmation(replicas: 1, milliseconds: 10))
        let ask = ServerError(line: "ASK 12182 127.0.0.1:2")
        #expect(throws: RedisError.server(ask)) {
            try connection.reply(in: [.integer(1), .error(ask), .integer(1)], confirmedBy: confirmation)
        }
    }

    @Test("without required replicas, nothing waits; a requirement needs a number and a time")
    func none() throws {
        #expect(ReplicaConfirmation(replicas: 0, milliseconds: 100) == nil)
        #expect(ReplicaConfirmation(replicas: 1, milliseconds: 0) == nil)
        let connection = connection(0)
        redis.cli("CONFIG", "RESETSTAT")
        #expect(try connection.run(count, keys: ["key": "total"], arguments: [:], isConfirmed: true) == .integer(1))
        #expect(!redis.cli("INFO", "commandstats").contains("cmdstat_wait"))
    }

    @Test("if the user may not wait for replicas, the error does not deny that the script has run")
    func forbidden() throws {
        redis.cli("ACL", "SETUSER", "limited", "on", ">hush", "~*", "+@all", "-wait")
        let connection = Connection(
            ConnectionConfiguration(
                servers: ServerList(redis.unixEndpoint),
                user: "limited",
                password: "hush",
                connectTimeout: .seconds(5),
                commandTimeout: .seconds(8),
                replicaConfirmation: ReplicaConfirmation(replicas: 1, milliseconds: 10)
            )
        )
        let error = #expect(throws: RedisError.self) {
            try connection.run(count, keys: ["key": "total"], arguments: [:], isConfirmed: true)
        }
        guard case .server(let reason) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(reason.code == "NOPERM" && error?.isUnexecuted == false)
    }

    @Test("a write that still waits when its server becomes a replica is repeated on the new master, and confirmed")
    func demoted() throws {
        let (next, other) = (try redis.startReplica(), try redis.startReplica())
        next.cli("CONFIG", "SET", "repl-diskless-sync-delay", "0")
        other.pause()
        let script = Script(
            name: "set",
            source: Array("return redis.call('SET', KEYS[1], 'x')".utf8),
            isRepeatable: true
        )
        let servers = try ServerList([redis.unixEndpoint, next.unixEndpoint])
        let replies = try inParallel(2) { [redis] number in
            if number == 0 {
                #expect(eventually { redis.cli("INFO", "clients").contains("blocked_clients:1") })
                next.cli("REPLICAOF", "NO", "ONE")
                redis.cli("REPLICAOF", "127.0.0.1", "\(next.port)")
                other.resume()
                other.cli("REPLICAOF", "127.0.0.1", "\(next.port)")
                return nil as Reply?
            }
            let connection = Connection(
                ConnectionConfiguration(
                    servers: servers,
                    connectTimeout: .seconds(5),
                    commandTimeout: .seconds(60),
                    replicaConfirmation: ReplicaConfirmation(replicas: 2, milliseconds: 50_000)
                )
            )
            return try connection.run(
                script,
                keys: ["key": "key"],
                arguments: [:],
                isConfirmed: true,
                deadline: .now + .seconds(60)
            )
        }
        #expect(replies.compactMap(\.self) == [.status("OK")])
        #expect(next.cli("INFO", "commandstats").contains("cmdstat_wait"))
        #expect(other.cli("GET", "key") == "x")
    }

    @Test("a failing script reports its error, not the number of replicas")
    func failing() throws {
        let failing = Script(name: "failing", source: Array("return redis.error_reply('NO luck')".utf8))
        let connection = connection(1, milliseconds: 10)
        #expect(throws: RedisError.server(ServerError(line: "NO luck"))) {
            try connection.run(failing, keys: [:], arguments: [:], isConfirmed: true)
        }
    }
}

import Glibc
import Processes
import TestServers
import Testing

@testable import Redis

@Suite struct ReconnectTests {
    @Test("a restart between two commands has no effect")
    func restart() throws {
        let redis = try RedisServer.start(isPersistent: true)
        let connection = redis.connection()
        _ = try connection.send(Command("SET", "key", "kept"))
        for stop in [redis.stop, redis.kill] {
            stop()
            try redis.restart()
            #expect(try connection.send(Command("GET", "key")).text == "kept")
        }
    }

    @Test("a connection that the server closed is replaced before use")
    func closedByServer() throws {
        let redis = try RedisServer.start()
        let connection = redis.connection()
        for total in 1...5 {
            #expect(try connection.send(Command("INCR", "count")) == .integer(Int64(total)))
            redis.cli("CLIENT", "KILL", "TYPE", "normal")
        }
    }

    @Test("a connection with an unexpected reply is replaced before use")
    func unexpectedAnswer() throws {
        let server = try RawServer { connection in
            while let command = connection.read() {
                let isFirst = connection.number == 1 && command.contains("PING")
                connection.write(isFirst ? "+first\r\n+unexpected\r\n" : "+second\r\n")
            }
        }
        defer { server.stop() }
        let connection = Connection(
            ConnectionConfiguration(servers: ServerList(.tcp(host: "127.0.0.1", port: server.port)))
        )
        #expect(try connection.send(Command("PING")) == .status("first"))
        #expect(try connection.send(Command("PING")) == .status("second"))
    }

    @Test("a connection that the server closed as idle is replaced before use")
    func idle() throws {
        let redis = try RedisServer.start(settings: ["timeout 1"])
        let connection = redis.connection()
        let identity = try connection.send(Command("CLIENT", "ID"))
        guard case .integer(let id) = identity else { return #expect(Bool(false), "\(identity)") }
        #expect(eventually(every: .milliseconds(100)) { redis.cli("CLIENT", "LIST", "ID", "\(id)").isEmpty })
        #expect(try connection.send(Command("CLIENT", "ID")) != identity)
    }

    @Test("an unreachable server fails immediately, is not retried for a while, and is then used again")
    func down() throws {
        let redis = try RedisServer.start()
        let connection = redis.connection()
        _ = try connection.send(Command("PING"))
        redis.stop()
        for _ in 0..<100 {
            let error = #expect(throws: RedisError.self) { try connection.send(Command("PING")) }
            #expect(error?.isUnavailable == true)
        }
        try redis.restart()
        #expect(eventually { (try? connection.send(Command("PING"))) == .status("PONG") })
    }

    @Test("during the backoff after a failure, no connection is attempted, and the reason stays")
    func backoff() throws {
        let redis = try RedisServer.start()
        redis.stop()
        let connection = Connection(
            ConnectionConfiguration(
                servers: ServerList(redis.tcpEndpoint),
                firstRetryDelay: .seconds(300),
                maxRetryDelay: .seconds(300)
            )
        )
        let failure = try #require(throws: RedisError.self) { try connection.send(Command("PING")) }
        try redis.restart()
        #expect(throws: failure) { try connection.send(Command("PING")) }
    }

    @Test("a missing listener is detected within the connect timeout")
    func nothingListens() throws {
        let folder = try TemporaryFolder()
        // 192.0.2.0/24 is reserved for documentation: packets to it are lost, or refused immediately.
        let endpoints: [Endpoint] = [
            .tcp(host: "127.0.0.1", port: FreePort.next()), .unix(path: folder.path(of: "none")),
            .tcp(host: "192.0.2.1", port: 6379),
        ]
        for endpoint in endpoints {
            let connection = Connection(
                ConnectionConfiguration(servers: ServerList(endpoint), connectTimeout: .milliseconds(300))
            )
            let (duration, error) = measured { () throws(RedisError) in _ = try connection.send(Command("PING")) }
            #expect(error?.isUnavailable == true)
            // Only the duration distinguishes this timeout from the kernel's own, which is two minutes.
            #expect(duration < .seconds(60))
        }
    }

    @Test("a command whose connection breaks is reported and not repeated")
    func brokenMidway() throws {
        let redis = try RedisServer.start(isPersistent: true)
        let connection = redis.connection()
        _ = try connection.send(Command("PING"))
        // The server stores the first command, then exits without a reply.
        let error = #expect(throws: RedisError.self) {
            try connection.pipeline([Command("INCR", "count"), Command("SHUTDOWN", "NOSAVE")])
        }
        guard case .connectionLost = error else { return #expect(Bool(false), "\(String(describing: error))") }
        try redis.restart()
        #expect(try connection.send(Command("GET", "count")).text == "1")
    }

    @Test("each new connection is prepared before its first command, and closed if that fails")
    func onConnect() throws {
        let redis = try RedisServer.start()
        let connection = redis.connection()
        connection.onConnect = { connection throws(RedisError) in
            let count = try connection.send(Command("INCR", "connects"))
            if count == .integer(3) { throw .refused("not this deployment") }
        }
        for expected in ["1", "2"] {
            #expect(try connection.send(Command("GET", "connects")).text == expected)
            #expect(try connection.send(Command("GET", "connects")).text == expected)
            redis.cli("CLIENT", "KILL", "TYPE", "normal")
        }
        #expect(throws: RedisError.refused("not this deployment")) { try connection.send(Command("PING")) }
        #expect(eventually { (try? connection.send(Command("GET", "connects")))?.text == "4" })
    }

    @Test("preparing a connection does not affect the script that waits for it")
    func scriptInOnConnect() throws {
        let redis = try RedisServer.start()
        let connection = redis.connection()
        let echo = Script(name: "echo", source: Array("return ARGV[1]".utf8))
        connection.onConnect = { connection throws(RedisError) in
            _ = try connection.run(echo, keys: [:], arguments: ["a": "inner"])
        }
        #expect(try connection.run(echo, keys: [:], arguments: ["a": "outer"]).text == "outer")
    }

    @Test("a connection whose preparation fails is not used, even if the failure is ignored")
    func failureInOnConnect() throws {
        let redis = try RedisServer.start()
        let connection = redis.connection(connectTimeout: .milliseconds(500))
        connection.onConnect = { connection in
            // Replies after the connect timeout.
            _ = try? connection.send(Command("BLPOP", "none", "0.7"))
        }
        #expect(throws: RedisError.self) { try connection.send(Command("ECHO", "first")) }
        connection.onConnect = nil
        #expect(eventually { (try? connection.send(Command("ECHO", "second")))?.text == "second" })
    }
}

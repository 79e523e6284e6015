import TestServers
import Testing

@testable import Redis

/// Several servers, of which the first available one is used.
@Suite struct ServerListTests {
    private func connection(_ endpoints: Endpoint..., timeout: Duration = .seconds(5)) throws -> Connection {
        Connection(
            ConnectionConfiguration(
                servers: try ServerList(endpoints),
                connectTimeout: timeout,
                commandTimeout: .seconds(5)
            )
        )
    }

    private var nothing: Endpoint { .tcp(host: "127.0.0.1", port: FreePort.next()) }

    @Test("the first reachable server is used")
    func first() throws {
        let redis = try RedisServer.start()
        let other = try RedisServer.start()
        for server in [redis, other] { server.cli("SET", "port", "\(server.port)") }
        let connection = try connection(nothing, redis.tcpEndpoint, other.tcpEndpoint)
        #expect(try connection.send(Command("GET", "port")).text == "\(redis.port)")
        redis.stop()
        #expect(try connection.send(Command("GET", "port")).text == "\(other.port)")
    }

    @Test("a server that accepts connections but does not reply leaves enough time for the next one")
    func silent() throws {
        let silent = try RedisServer.start()
        let redis = try RedisServer.start()
        silent.pause()
        defer { silent.resume() }
        let connection = try connection(silent.tcpEndpoint, redis.tcpEndpoint, timeout: .seconds(6))
        #expect(try connection.send(Command("PING")) == .status("PONG"))
    }

    @Test("a replica is not used, and becomes usable when it is promoted")
    func replica() throws {
        let redis = try RedisServer.start()
        let replica = try redis.startReplica()
        redis.stop()
        let connection = try connection(redis.tcpEndpoint, replica.tcpEndpoint)
        let error = #expect(throws: RedisError.self) { try connection.send(Command("SET", "key", "value")) }
        #expect(error?.isUnavailable == true)
        #expect(error?.description.contains("\(replica.tcpEndpoint): it is a replica, not the master") == true)
        #expect(error?.description.contains("\(redis.tcpEndpoint): cannot connect: Connection refused") == true)
        replica.cli("REPLICAOF", "NO", "ONE")
        #expect(eventually { (try? connection.send(Command("SET", "key", "value"))) == .status("OK") })
    }

    @Test("a wrong password is reported, and the next server is not tried")
    func wrongPassword() throws {
        let redis = try RedisServer.start(user: .init("app", password: "correct-horse"))
        let configuration = ConnectionConfiguration(
            servers: try ServerList([redis.tcpEndpoint, nothing]),
            user: "app",
            password: "staple",
            connectTimeout: .seconds(5)
        )
        let error = #expect(throws: RedisError.self) { try Connection(configuration).send(Command("PING")) }
        guard case .refused = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test("each address of a host name is tried")
    func names() throws {
        // Only 127.0.0.1 is served: if localhost is first ::1, this address refuses.
        let redis = try RedisServer.start()
        let connection = try connection(.tcp(host: "localhost", port: redis.port))
        #expect(try connection.send(Command("PING")) == .status("PONG"))
        let unknown = try self.connection(.tcp(host: "unknown.invalid", port: redis.port))
        let error = #expect(throws: RedisError.self) { try unknown.send(Command("PING")) }
        #expect(error?.isUnavailable == true)
    }
}

import APNsStandIn
import TestServers
import Testing

@testable import Redis

/// Users, TLS and incorrect settings of a cluster.
@Suite struct ClusterFaultTests {
    private func error(_ connection: Connection) -> RedisError? {
        #expect(throws: RedisError.self) { try connection.send(Command("SET", "key", "value")) }
    }

    @Test("all nodes of a cluster with TLS and a user are used, and a wrong password is reported")
    func secured() async throws {
        let authority = try TestAuthority()
        let identity = try authority.serverIdentity()
        let user = RedisServer.User("app", password: "correct-horse")
        let cluster = try await RedisCluster.start(
            user: user,
            tls: RedisServer.TLS(
                authority: authority.certificatePEM,
                certificate: identity.certificate,
                privateKey: identity.privateKey
            )
        )
        let tls = try TLSContext(TLSConfiguration(authorities: authority.certificatePEM))
        let connection = Connection(try cluster.configuration(tls: tls, user: user))
        for (key, server) in zip(cluster.keys("key"), cluster.masters) {
            #expect(try connection.send(Command("SET", .text(key), "x")) == .status("OK"))
            #expect(server.cli("GET", key) == "x")
        }
        let (source, target) = (cluster.masters[0], cluster.masters[1])
        let key = cluster.keys("key")[0]
        cluster.move(cluster.slot(ofKey: key), from: source, to: target)
        #expect(try connection.send(Command("GET", .text(key))).text == "x")
        let wrong = RedisServer.User("app", password: "hunter2")
        let refused = error(Connection(try cluster.configuration(tls: tls, user: wrong)))
        guard case .refused = refused else { return #expect(Bool(false), "\(refused as Any)") }
        #expect(refused?.description.contains("hunter2") == false)
    }

    @Test("a server that is not in a cluster is reported as such")
    func single() throws {
        let redis = try RedisServer.start()
        let configuration = ConnectionConfiguration(
            servers: try RedisAddress("redis+cluster://127.0.0.1:\(redis.port)").servers,
            connectTimeout: .seconds(5)
        )
        let description = error(Connection(configuration))?.description
        #expect(description?.contains("not a node of a Redis Cluster: the address is redis://") == true)
    }

    @Test("if a node of a cluster is used as a single server, the error names the address to use")
    func plain() async throws {
        let cluster = try await RedisCluster.start()
        let key = cluster.keys("key")[1]
        let connection = Connection(
            ConnectionConfiguration(servers: ServerList(cluster.masters[0].tcpEndpoint), connectTimeout: .seconds(5))
        )
        let error = #expect(throws: RedisError.self) { try connection.send(Command("GET", .text(key))) }
        #expect(error?.isUnavailable == true)
        #expect(error?.description.contains("whose address is redis+cluster://") == true)
    }
}

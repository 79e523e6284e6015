import TestServers
import Testing

@testable import Redis

/// Incorrect settings of a cluster.
@Suite struct ClusterFaultTests {
    private func error(_ connection: Connection) -> RedisError? {
        #expect(throws: RedisError.self) { try connection.send(Command("SET", "key", "value")) }
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

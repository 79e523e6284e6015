import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// The connections of other processes of Dialtone, which a move between index keys refuses.
@Suite struct OtherClientsTests {
    @Test("a client of another process is found, unless it uses another database or is not Dialtone's")
    func oneServer() throws {
        let test = try TestStore()
        let configuration = TestStore.configuration(test.redis)
        func connect(_ name: String, database: Int = 0) throws -> Connection {
            var other = configuration
            other.clientName = name
            other.database = database
            let connection = Connection(other)
            _ = try connection.send(Command("PING"))
            return connection
        }
        let others = [
            try connect(ConnectionConfiguration.nameOfProcess), try connect("exporter"),
            try connect("dialtone-other", database: 1),
        ]
        #expect(try test.store.otherClients() == [])
        let other = try connect("dialtone-other")
        #expect(try test.store.otherClients().count == 1)
        withExtendedLifetime((others, other)) {}
    }

    @Test("in a cluster, a client of any master is found")
    func cluster() async throws {
        let cluster = try await RedisCluster.start()
        let servers = try RedisAddress("redis+cluster://\(cluster.list)").servers
        var configuration = ConnectionConfiguration(servers: servers)
        let store = Store(configuration, shards: .standard)
        #expect(try store.otherClients() == [])
        configuration.clientName = "dialtone-other"
        for (index, _) in cluster.masters.enumerated() {
            let key = try #require((0..<1000).lazy.map { "dt:{p\($0)}:x" }.first { cluster.index(ofKey: $0) == index })
            let connection = Connection(configuration)
            _ = try connection.send(Command("GET", .text(key)))
            #expect(try store.otherClients().count >= 1)
            withExtendedLifetime(connection) {}
        }
    }

    @Test("an ACL without CLIENT LIST is named")
    func rights() throws {
        let test = try TestStore()
        let configuration = test.configuration(ofUserWith: ["~*", "+@all", "-client|list"])
        let store = Store(configuration, shards: .standard)
        let error = #expect(throws: StoreUnavailable.self) { try store.otherClients() }
        #expect(error?.description == "Redis does not list its clients: the user needs +client|list")
    }
}

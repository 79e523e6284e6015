import Processes
import TestServers
import Testing

/// Backups of one kind of deployment that are restored into another.
@Suite(.serialized, .tags(.load)) struct BackupTopologyTests {
    private func server(_ address: String, on redis: RedisServer) throws -> RunningServer {
        let server = try RunningServer(workers: 1, settings: ["REDIS_ADDRESS": address], redis: redis)
        #expect(try server.makeBackupKey(server.backupKey).isFine)
        return server
    }

    /// Signs users in, backs them up, restores them into an empty Redis, and signs the same users in.
    private func move(_ server: RunningServer, to address: String) throws {
        var users: [String: String] = [:]
        for number in (200..<208).map({ "+16505550\($0)" }) {
            users[number] = try server.signInFresh(number)["localId"]
        }
        #expect(users.count == 8)
        let backup = try server.backup()
        #expect(backup.isFine, "\(backup.errors)")
        for worker in server.runningWorkers { worker.stop() }
        try server.change(["REDIS_ADDRESS": address])
        let restored = try server.restore("--verify")
        #expect(restored.isFine && restored.output.contains("decrypted 8 accounts"), "\(restored)")
        try server.startWorker()
        #expect(try eventually { try server.get("/readyz").status == 200 })
        for (number, user) in users { #expect(try server.signInFresh(number)["localId"] == user) }
    }

    @Test("one server's backup is restored into a cluster, and the cluster's into one server")
    func cluster() async throws {
        let settings = ["repl-diskless-sync-delay 0"]
        let redis = try RedisServer.start(settings: settings)
        let cluster = try await RedisCluster.start()
        let (address, nodes) = ("unix:\(redis.socketPath)", "redis+cluster://\(cluster.list)")
        try move(server(address, on: redis), to: nodes)
        #expect(cluster.masters.allSatisfy { $0.cli("DBSIZE") != "0" })
        for master in cluster.masters { master.cli("FLUSHALL") }
        redis.cli("FLUSHALL")
        try move(server(nodes, on: cluster.masters[0]), to: address)
    }

    @Test("a backup under Sentinel is of the master, also after a failover")
    func sentinel() throws {
        let sentinels = try RedisSentinels()
        for redis in sentinels.servers { redis.cli("CONFIG", "SET", "repl-diskless-sync-delay", "0") }
        let address = "redis+sentinel://\(sentinels.list)/0"
        let server = try server(address, on: sentinels.servers[0])
        #expect(sentinels.startFailover())
        #expect(eventually { sentinels.masterPort != sentinels.servers[0].port })
        #expect(try eventually { try server.get("/readyz").status == 200 })
        let other = try RedisServer.start()
        try move(server, to: "unix:\(other.socketPath)")
    }
}

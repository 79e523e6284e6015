import Glibc
import Processes
import TestServers
import Testing

/// A deployment that moves from a single Redis server to a Redis Cluster while users sign in, by the commands
/// of `systemd/redis.md`.
@Suite(.serialized, .timeLimit(.minutes(30)), .tags(.load)) struct ClusterMigrationTests {
    /// The longest allowed time without a successful request, on a busy machine. On an idle one, it is a fifth of a
    /// second.
    private static let longestPause: Duration = .seconds(45)

    private static let settings = [
        "REFRESH_TOKEN_ROTATION": "enabled", "REFRESH_TOKEN_GRACE_SECONDS": "600",
        "SENDS_PER_NUMBER_PER_HOUR": "1000", "SENDS_PER_NUMBER_PER_DAY": "1000",
        "NEW_ACCOUNTS_PER_NETWORK_PER_DAY": "0", "SIGN_UPS_PER_NETWORK_PER_HOUR": "0",
    ]

    /// Requests wait for replicas and for the takeover almost until their deadline of five seconds, because the machine
    /// may be busy.
    private static let patientSettings = [
        "REDIS_REPLICAS_BEFORE_ANSWER": "1", "REDIS_REPLICA_TIMEOUT_MILLISECONDS": "4000",
        "REDIS_COMMAND_TIMEOUT_MILLISECONDS": "4500",
    ]

    @Test("users sign in while a server becomes a Cluster of three masters with replicas, and nothing is lost")
    func toCluster() async throws {
        let old = try RedisServer.start(isPersistent: true, settings: ["min-replicas-to-write 1"])
        let replica = try old.startReplica()
        let deployment = try await Self.deployment(old, "redis://127.0.0.1:\(old.port)/0", Self.patientSettings)
        let traffic = LiveTraffic(deployment)
        let cluster = try traffic.run {
            try traffic.expect("at first", 50)
            let cluster = try GrowingCluster(following: old)
            try deployment.server.restart(with: cluster.address)
            try traffic.expect("with workers that follow the cluster", 50)
            #expect(try deployment.server.dialtone("doctor", "--all").output.contains("has not taken over yet"))
            old.cli("CONFIG", "SET", "min-replicas-to-write", "0")
            try cluster.takeOver(from: old)
            try traffic.expect("on one node", 50)
            #expect(traffic.record.unavailable == 0)
            #expect(try deployment.server.dialtone("doctor", "--all").output.contains("ok      role: master"))
            let masters = try [cluster.first, cluster.addMaster(), cluster.addMaster()]
            let replicas = try masters.map { try cluster.addReplica(of: $0) }
            try traffic.expect("with all nodes", 50)
            try cluster.spreadSlots()
            old.stop()
            replica.stop()
            try traffic.expect("on all nodes", 100)
            // A project's slot is on one of the nodes; accounts are on all.
            let counts = masters.map { $0.cli("KEYS", "dt:{u*}:user:*").split(separator: "\n").count }
            #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
            for (master, replica) in zip(masters, replicas) {
                #expect(eventually { master.cli("DBSIZE") == replica.cli("DBSIZE") })
            }
            let diagnosis = try deployment.server.dialtone("doctor", "--all").output
            #expect(diagnosis.split(separator: "ok      slots: all 16384 have a master").count == 4, "\(diagnosis)")
            return cluster
        }
        check(traffic, deployment)
        withExtendedLifetime(cluster) {}
    }

    @Test("a server remains the master and keeps its data if the node does not follow it or cannot be reached")
    func unrelatedNode() throws {
        let server = try RedisServer.start()
        server.cli("SET", "key", "value")
        let cluster = try GrowingCluster()
        #expect(throws: ServerFailure.self) { try cluster.takeOver(from: server) }
        cluster.first.stop()
        #expect(throws: ServerFailure.self) { try cluster.takeOver(from: server) }
        #expect(server.cli("ROLE").hasPrefix("master"))
        #expect(server.cli("GET", "key") == "value")
    }

    private static func deployment(
        _ redis: RedisServer,
        _ address: String,
        _ further: [String: String] = [:]
    ) async throws -> MessageDeployment {
        let deployment = try await MessageDeployment.start(
            routes: "*=first",
            settings: settings.merging(further) { $1 }.merging(["REDIS_ADDRESS": address]) { $1 },
            workers: 2,
            redis: redis
        )
        try deployment.server.startDispatcher()
        return deployment
    }

    /// Compares what was acknowledged to the clients with the data of the deployment.
    private func check(_ traffic: LiveTraffic, _ deployment: MessageDeployment) {
        let pause = traffic.record.longestGap
        let unavailable = traffic.record.unavailable
        traffic.checkAllSessions()
        for number in traffic.record.uids.keys.sorted().prefix(40) { #expect(traffic.signIn(number, isLast: true)) }
        for (session, code) in traffic.record.usedCodes { traffic.replay(session, code) }
        let record = traffic.record
        #expect(record.faults == [], "\(deployment.server.log.suffix(2000))")
        #expect(record.unavailable == unavailable)
        #expect(pause < Self.longestPause)
        print(
            "\(record.uids.count) accounts, \(record.sessions.count) sessions, \(record.successes) requests got 200,",
            "\(record.unavailable) got 503; the longest time without a success was \(pause)"
        )
    }
}

extension LiveTraffic {
    /// Waits until clients have succeeded this many times.
    fileprivate func expect(_ stage: String, _ successes: Int) throws {
        guard waitForSuccesses(successes) else { throw ServerFailure(description: "no success \(stage)") }
    }
}

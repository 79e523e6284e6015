import Processes
import TestServers
import Testing

/// A deployment on a Redis Cluster.
@Suite(.serialized, .tags(.load)) struct ClusterDeploymentTests {
    @Test("users sign in again soon after a master was killed, and no account is lost")
    func killedMaster() async throws {
        let cluster = try await RedisCluster.start(hasReplicas: true, nodeTimeoutMilliseconds: 2000)
        let server = try RunningServer(
            settings: [
                "REDIS_ADDRESS": "redis+cluster://\(cluster.list)", "REDIS_REPLICAS_BEFORE_ANSWER": "1",
            ],
            redis: cluster.masters[0]
        )
        var users: [String: String] = [:]
        func signIn(_ number: String) -> Bool {
            guard let response = try? server.signInFresh(number), response.status == 200 else { return false }
            users[number] = response["localId"]
            return true
        }
        for number in 200..<212 { #expect(signIn("+16505550\(number)")) }
        #expect(cluster.masters.allSatisfy { $0.cli("DBSIZE") != "0" })
        let former = users
        let (killed, successor) = (cluster.masters[1], cluster.replicas[1])
        killed.kill()
        #expect(eventually(within: .seconds(60)) { cluster.isMaster(successor) })
        // It comes back as a replica, which confirms the successor's changes.
        try killed.restart()
        var number = 300
        let isServing = eventually(within: .seconds(90), every: .milliseconds(200)) {
            number = number == 999 ? 300 : number + 1
            return signIn("+16505550\(number)")
        }
        #expect(isServing, "\(server.log.suffix(2000))")
        // The same users, on whichever node they are.
        for (number, user) in former {
            #expect(eventually(within: .seconds(30), every: .milliseconds(200)) { signIn(number) })
            #expect(users[number] == user)
        }
        let diagnosis = try server.dialtone("doctor")
        #expect(diagnosis.output.contains("tcp:127.0.0.1:\(successor.port)\n"), "\(diagnosis.output)")
        #expect(diagnosis.output.contains("ok      slots: all 16384 have a master"))
        #expect(server.runningWorkers.count == 2)
    }
}

import GatewayStandIn
import Glibc
import Synchronization
import TestServers
import Testing

/// Accounts and sessions that are acknowledged only once a replica has them.
@Suite(.timeLimit(.minutes(30)), .tags(.load)) struct ReplicatedAccountTests {
    private static let bound: Duration = .seconds(1)

    private static let settings = [
        "REDIS_REPLICAS_BEFORE_ANSWER": "1", "REDIS_REPLICA_TIMEOUT_MILLISECONDS": "1000",
        "REDIS_COMMAND_TIMEOUT_MILLISECONDS": "5000",
    ]

    private func server(_ redis: RedisServer, _ settings: [String: String] = [:]) throws -> RunningServer {
        let own = Self.settings.merging(["REFRESH_TOKEN_ROTATION": "enabled"]) { $1 }
        return try RunningServer(workers: 1, settings: own.merging(settings) { $1 }, redis: redis)
    }

    private func signUp(_ server: RunningServer, _ email: String) throws -> HTTPAnswer {
        try server.post("/v1/accounts:signUp", #"{"email":"\#(email)","password":"correct horse"}"#)
    }

    @Test("if the replica hangs, sends and account changes get 503 in time, and reads work")
    func replicaHangs() throws {
        let redis = try RedisServer.start()
        let replica = try redis.startReplica()
        let server = try server(redis)
        let signedIn = try server.signInFresh("+16505550120")
        let idToken = try #require(signedIn["idToken"])
        let refreshToken = try #require(signedIn["refreshToken"])
        let uid = try #require(signedIn["localId"])
        #expect(replica.cli("--scan", "--pattern", "dt:{u*}:user:*").contains(uid))

        let session = try server.openVerification("+16505550121")
        let code = try server.code(of: session)
        replica.pause()
        #expect(try server.lookUp(idToken).status == 200)
        let changes: [() throws -> HTTPAnswer] = [
            { try server.sendVerificationCode("+16505550122") }, { try server.signIn(session, code) },
            { try server.refresh(refreshToken) },
            { try signUp(server, "ada@example.com") },
            { try server.post("/v1/accounts:signUp", #"{"returnSecureToken":true}"#) },
            { try server.post("/v1/accounts:update", #"{"idToken":"\#(idToken)","displayName":"Ada"}"#) },
            { try server.post("/v1/accounts:delete", #"{"idToken":"\#(idToken)"}"#) },
        ]
        for change in changes {
            let start = ContinuousClock.now
            let answer = try change()
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "1")
            #expect(answer.errorMessage == "The service is currently unavailable.")
            #expect(ContinuousClock.now - start >= Self.bound - .milliseconds(20))
        }
        // In each change, one step waits and the later ones do not start.
        let waits = server.log.split(separator: "\n").count {
            $0.contains("Redis has the change, but 0 of 1 replicas confirmed it in time")
        }
        #expect(waits == changes.count)

        replica.resume()
        // A new address each time, because an account that was not confirmed in time exists nevertheless.
        #expect(try eventually { try signUp(server, SecondFactorUser.freshEmail()).status == 200 })
        // The unconfirmed changes took effect, so repeating them finds them.
        #expect(try server.lookUp(idToken).errorMessage == "USER_NOT_FOUND")
        #expect(try server.signInFresh("+16505550121").status == 200)
        // The session of the send that got 503 is open.
        #expect(try server.signInFresh("+16505550122").status == 200)
        #expect(try server.signInFresh("+16505550120")["localId"] != signedIn["localId"])
    }

    @Test("a message is sent only once a replica has its session and its lock")
    func messages() async throws {
        let redis = try RedisServer.start()
        let replica = try redis.startReplica()
        let deployment = try await MessageDeployment.start(routes: "*=first", settings: Self.settings, redis: redis)
        try deployment.server.startDispatcher()
        replica.pause()
        _ = try? deployment.enqueue(1)
        #expect(
            eventually {
                deployment.server.log.contains("Redis has the change, but 0 of 1 replicas confirmed it in time")
            }
        )
        #expect(deployment.queued == 1)
        #expect(deployment.first.requests.isEmpty)
        replica.resume()
        #expect(eventually { deployment.queued == 0 })
        #expect(deployment.first.requests.count == 1)
    }

    @Test("acknowledged changes are on the replica when the master dies")
    func masterDies() throws {
        let redis = try RedisServer.start()
        let replica = try redis.startReplica()
        // None of the clients gives up before the master dies.
        let server = try server(redis, ["REDIS_REPLICA_TIMEOUT_MILLISECONDS": "4000"])
        let acknowledged = Mutex<[String]>([])
        _ = try inParallel(5) { thread in
            if thread == 4 {
                // Kills the master while changes are being made.
                _ = eventually { acknowledged.withLock { $0.count } >= 20 }
                redis.kill()
                return
            }
            for number in 0..<1000 {
                let phone = "+1650555\(2000 + thread * 1000 + number)"
                guard let session = try server.sendVerificationCode(phone)["sessionInfo"],
                    let code = try? server.code(of: session)
                else { return }
                let answer = try server.signIn(session, code)
                guard answer.status == 200, let uid = answer["localId"] else { return }
                acknowledged.withLock { $0.append(uid) }
            }
        }
        replica.cli("REPLICAOF", "NO", "ONE")
        let kept = Set(
            replica.cli("--scan", "--pattern", "dt:{u*}:user:*").split(separator: "\n")
                .map { String($0.split(separator: ":").last ?? "") }
        )
        let claimed = replica.cli("--scan", "--pattern", "dt:{?*}:phone:*").split(separator: "\n")
            .map { replica.cli("GET", String($0)) }
        let uids = acknowledged.withLock { $0 }
        #expect(uids.count >= 20)
        for uid in uids {
            #expect(kept.contains(uid))
            #expect(claimed.contains { $0.hasSuffix(" \(uid)") })
        }
    }

    @Test("a replica timeout longer than the command timeout is rejected at start")
    func timeouts() throws {
        let redis = try RedisServer.start()
        let error = #expect(throws: ServerFailure.self) {
            try server(redis, ["REDIS_COMMAND_TIMEOUT_MILLISECONDS": "1000"])
        }
        let expected =
            "DIALTONE_REDIS_REPLICA_TIMEOUT_MILLISECONDS: 1000 is not less than "
            + "DIALTONE_REDIS_COMMAND_TIMEOUT_MILLISECONDS, which is 1000"
        #expect(error?.description.contains(expected) == true)
    }
}

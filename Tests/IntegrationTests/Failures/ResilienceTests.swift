import Encodings
import Glibc
import Processes
import Synchronization
import TestServers
import Testing

/// Workers that die, and a Redis that becomes unavailable.
@Suite(.serialized, .tags(.load)) struct ResilienceTests {
    @Test("no request fails if workers are killed under load", arguments: [SIGKILL, SIGTERM])
    func workersRestart(signal: Int32) throws {
        let server = try RunningServer(
            workers: 3,
            settings: ["SENDS_PER_NUMBER_PER_HOUR": "1000000", "SENDS_PER_PROJECT_PER_HOUR": "0"]
        )
        let isOver = Atomic<Bool>(false)
        let failures = Mutex<[String]>([])
        let signedIn = Atomic<Int>(0)
        let clients = 6
        let rounds = Mutex(Array(repeating: 0, count: clients))
        _ = try inParallel(clients + 1) { thread in
            if thread == clients {
                // nginx repeats a request once. So no request that met a killed worker may meet the next one.
                func waitForRounds() {
                    let before = rounds.withLock { $0 }
                    #expect(eventually { rounds.withLock { zip($0, before).allSatisfy { $0 >= $1 + 3 } } })
                }
                // Stops and replaces one worker after the other.
                for _ in 0..<6 {
                    waitForRounds()
                    server.runningWorkers.first?.stop(signal, patience: .seconds(60))
                    try server.startWorker()
                }
                waitForRounds()
                isOver.store(true, ordering: .relaxed)
                return
            }
            var number = thread * 1_000
            while !isOver.load(ordering: .relaxed) {
                number += 1
                defer { rounds.withLock { $0[thread] += 1 } }
                do {
                    let phone = "+1650555" + String(String(10_000 + number).dropFirst())
                    let answer = try server.sendVerificationCode(phone)
                    guard answer.status == 200, let session = answer["sessionInfo"] else {
                        failures.withLock { $0.append("send: \(answer.status) \(answer.errorMessage ?? "")") }
                        continue
                    }
                    if number % 4 == 0 {
                        // The worker's death may cut off the long list of codes, and the client must then request it
                        // again.
                        let code = try (try? server.code(of: session)) ?? server.code(of: session)
                        let finished = try server.signIn(session, code)
                        signedIn.add(1, ordering: .relaxed)
                        if finished.status != 200 {
                            failures.withLock {
                                $0.append("sign-in: \(finished.status) \(finished.errorMessage ?? "")")
                            }
                        } else if finished.json["isNewUser"] != .bool(true) {
                            failures.withLock { $0.append("sign-in: the account was known before") }
                        }
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        let failed = server.folder.read("access.log").split(separator: "\n").filter { !$0.contains(#""status":200"#) }
        #expect(failures.withLock { $0 } == [], "\(failed)")
        #expect(signedIn.load(ordering: .relaxed) > 5)
    }

    @Test("a stopping worker first reports that it is not ready, keeps serving, and exits cleanly")
    func drain() throws {
        let server = try RunningServer(workers: 1, settings: ["DRAIN_SECONDS": "10"])
        let worker = try #require(server.runningWorkers.first)
        #expect(try server.get("/readyz").status == 200)
        worker.send(SIGTERM)
        #expect(try eventually { try server.get("/readyz").status == 503 })
        #expect(try server.get("/healthz").status == 200)
        #expect(try server.sendVerificationCode("+16505550160").status == 200)
        #expect(worker.waitForExit(atMost: .seconds(60)) == .exited(0))
    }

    @Test("without Redis, responses are 503 with the envelope, in time; then service recovers by itself")
    func redisStops() throws {
        let server = try RunningServer(workers: 1)
        let session = try server.openVerification("+16505550161")
        let code = try server.code(of: session)
        server.redis.stop()
        for _ in 0..<3 {
            // Without a response from the worker, nginx would return 504.
            let answer = try server.sendVerificationCode("+16505550162")
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "1")
            try expectEnvelope(answer, status: "UNAVAILABLE")
        }
        #expect(try server.signIn(session, code).status == 503)
        #expect(try server.get("/readyz").status == 503)
        #expect(try server.get("/healthz").status == 200)
        #expect(try server.get("/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com").status == 200)
        try server.redis.restart()
        // The new Redis is empty.
        try RunningServer.adoptRedis(server.folder)
        #expect(try eventually { try server.get("/readyz").status == 200 })
        #expect(try eventually { try server.sendVerificationCode("+16505550162").status == 200 })
    }

    @Test("a hanging Redis delays no request beyond its deadline, and no request that does not need Redis")
    func redisHangs() throws {
        let server = try RunningServer(
            workers: 1,
            settings: ["REQUEST_DEADLINE_SECONDS": "2", "THREADS": "5", "ACTIVE_THREADS": "1"]
        )
        server.redis.pause()
        let answered = Atomic(0)
        let healthChecks = Atomic(0)
        let statuses = try inParallel(5) { racer -> Int in
            guard racer == 4 else {
                defer { answered.add(1, ordering: .sequentiallyConsistent) }
                // After a request's deadline, nginx would return 504.
                return try server.sendVerificationCode(fictionalNumber(63 + racer)).status
            }
            var isFine = true
            while answered.load(ordering: .sequentiallyConsistent) == 0 {
                isFine = try server.get("/healthz").status == 200 && isFine
                if answered.load(ordering: .sequentiallyConsistent) == 0 { healthChecks.add(1, ordering: .relaxed) }
            }
            return isFine ? 200 : 0
        }
        #expect(statuses == [503, 503, 503, 503, 200])
        #expect(healthChecks.load(ordering: .relaxed) > 1, "they were answered while the others waited")
        server.redis.resume()
        #expect(try eventually { try server.sendVerificationCode("+16505550163").status == 200 })
    }

    @Test("acknowledged changes exist after Redis was killed and restarted")
    func redisDies() throws {
        let server = try RunningServer(workers: 1, isPersistent: true, redisSettings: ["appendfsync always"])
        let signedIn = try server.signInFresh("+16505550168")
        let session = try server.openVerification("+16505550169")
        let code = try server.code(of: session)
        server.redis.kill()
        try server.redis.restart()
        #expect(try eventually { try server.get("/readyz").status == 200 })
        #expect(try server.refresh(try #require(signedIn["refreshToken"])).status == 200)
        #expect(try server.signIn(session, code).status == 200)
    }

    @Test("workers reject a Redis that was set up with another number of shards")
    func otherShards() throws {
        let server = try RunningServer(workers: 1)
        server.redis.cli("HSET", "dt:{/}:deployment", "shards", "32")
        #expect(try eventually { try server.sendVerificationCode("+16505550170").status == 503 })
        #expect(server.log.contains("32 shards"))
        try server.startWorker()
        #expect(eventually { server.runningWorkers.count == 1 })
        #expect(server.log.contains("set DIALTONE_SHARDS=32"))
    }
}

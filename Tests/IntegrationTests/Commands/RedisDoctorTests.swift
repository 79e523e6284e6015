import Processes
import TestServers
import Testing

/// `dialtone doctor` on a running deployment.
@Suite struct RedisDoctorTests {
    private func lines(_ finished: FinishedProcess) -> [String] {
        finished.output.split(separator: "\n").map(String.init)
    }

    @Test("doctor explains each risk of data loss with its fix, and the exit status reports it")
    func unhealthy() throws {
        let server = try RunningServer(workers: 1, redisSettings: ["maxmemory 100mb", "maxmemory-policy allkeys-lru"])
        let diagnosis = try server.dialtone("doctor", "--all")
        #expect(diagnosis.status == .exited(1))
        for line in [
            "ERROR   appendonly: no: when Redis stops, all changes since its last RDB snapshot, if any, are lost",
            "ERROR   maxmemory-policy: allkeys-lru: when memory is full, Redis evicts accounts",
            "        → redis-cli CONFIG SET maxmemory-policy noeviction, then redis-cli CONFIG REWRITE",
        ] { #expect(lines(diagnosis).contains(line)) }
    }

    @Test("doctor also examines the replicas, and names those that it cannot reach")
    func replicas() throws {
        let server = try RunningServer(workers: 1, isPersistent: true, redisSettings: ["appendfsync always"])
        let replica = try server.redis.startReplica()
        let diagnosis = try server.dialtone("doctor", "--all")
        let title = "Redis replica 127.0.0.1:\(replica.port)"
        let sections = diagnosis.output.split(separator: title + "\n")
        try #require(sections.count == 2, "\(diagnosis.output)")
        #expect(sections[0].contains("Redis master\n"))
        #expect(sections[0].contains("ok      appendonly: yes"))
        #expect(sections[1].contains("ERROR   appendonly: no"))
        #expect(sections[1].contains("advice  min-replicas-to-write: 0"))
        #expect(diagnosis.status == .exited(1))
        replica.pause()
        defer { replica.resume() }
        let halted = try server.dialtone("doctor", "--all")
        #expect(halted.output.contains("\(title)\nunknown connection: "), "\(halted.output)")
        #expect(halted.status == .exited(0))
    }

    @Test("applying the fix makes a running Redis durable")
    func remedy() throws {
        let server = try RunningServer(workers: 1, isPersistent: false)
        let uid = try #require(try server.signInFresh("+16505550130")["localId"])
        server.redis.cli("CONFIG", "SET", "appendonly", "yes")
        server.redis.cli("CONFIG", "REWRITE")
        let isWritten = eventually { server.redis.cli("INFO", "persistence").contains("aof_rewrite_in_progress:0") }
        #expect(isWritten)
        #expect(try server.dialtone("doctor", "--all").status == .exited(0))
        server.redis.kill()
        try server.redis.restart()
        #expect(server.redis.cli("--scan", "--pattern", "dt:{u*}:user:*").hasSuffix(uid))
    }

    @Test("a restricted user gets the findings that it may see, and the rest is reported as unknown")
    func restricted() throws {
        let redis = try RedisServer.start(isPersistent: true)
        let rights = ["~dt:*", "+@read", "+@write", "+@scripting", "+@connection", "+time", "-@dangerous"]
        redis.cli(["ACL", "SETUSER", "dialtone", "on", ">secret"] + rights)
        let login = ["REDIS_USER": "dialtone", "REDIS_PASSWORD": "secret"]
        // Development mode lists sessions, which needs further permissions.
        let server = try RunningServer(.production, workers: 1, settings: login, redis: redis)
        let blind = try server.dialtone("doctor", "--all")
        #expect(blind.status == .exited(0))
        #expect(lines(blind).contains("ok      permissions: this user may run all commands that Dialtone needs"))
        #expect(lines(blind).contains("unknown appendonly: this user lacks permission for INFO"))
        redis.cli("ACL", "SETUSER", "dialtone", "+info")
        let seeing = try server.dialtone("doctor", "--all")
        #expect(lines(seeing).contains("ok      appendonly: yes"))
        #expect(
            lines(seeing).contains(
                "unknown appendfsync: this user lacks permission for CONFIG GET"
            )
        )
        redis.cli("ACL", "SETUSER", "dialtone", "-hset")
        let powerless = try server.dialtone("doctor", "--all")
        #expect(powerless.status == .exited(1))
        #expect(powerless.output.contains("ERROR   permissions: this user may not run HSET"))
        #expect(!powerless.output.contains("secret"))
    }

    @Test("doctor, /readyz?verbose and the workers' log state the same reason for a rejected password")
    func rejected() throws {
        let redis = try RedisServer.start()
        redis.cli("ACL", "SETUSER", "dialtone", "on", ">right", "~*", "+@all")
        let server = try RunningServer(
            workers: 1,
            settings: ["REDIS_USER": "dialtone", "REDIS_PASSWORD": "right"],
            redis: redis
        )
        redis.cli("ACL", "SETUSER", "dialtone", "<right", ">other")
        redis.cli("CLIENT", "KILL", "USER", "dialtone")
        let reason = "Redis refused: WRONGPASS"
        #expect(try eventually { try server.get("/readyz?verbose").text.contains(reason) })
        // During the backoff, too.
        for _ in 0..<20 {
            let readiness = try server.get("/readyz?verbose").text
            #expect(readiness.contains(reason), "\(readiness)")
        }
        let diagnosis = try server.dialtone("doctor")
        #expect(diagnosis.output.contains(reason), "\(diagnosis.output)")
        #expect(diagnosis.status == .exited(1))
        _ = try server.get("/readyz")
        #expect(server.log.contains(reason))
    }
}

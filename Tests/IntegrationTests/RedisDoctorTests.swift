import Processes
import TestServers
import Testing

/// `dialtone doctor` on a running deployment.
@Suite struct RedisDoctorTests {
    private func lines(_ finished: FinishedProcess) -> [String] {
        finished.output.split(separator: "\n").map(String.init)
    }

    @Test("a Redis that keeps accounts passes, by either name, and nothing in it changes")
    func healthy() throws {
        let server = try RunningServer(workers: 1, isPersistent: true, redisSettings: ["appendfsync always"])
        let before = server.redis.cli("DBSIZE")
        for diagnosis in [try server.dialtone("doctor"), try server.dialtone("doctor", "redis")] {
            #expect(diagnosis.status == .exited(0))
            #expect(lines(diagnosis).contains("ok      appendonly: yes"))
            #expect(!diagnosis.output.contains("GRAVE"))
        }
        #expect(server.redis.cli("DBSIZE") == before)
    }

    @Test("what would lose accounts is told with its reason and its remedy, and the exit says so")
    func unhealthy() throws {
        let server = try RunningServer(workers: 1, redisSettings: ["maxmemory 100mb", "maxmemory-policy allkeys-lru"])
        let diagnosis = try server.dialtone("doctor", "redis")
        #expect(diagnosis.status == .exited(1))
        for line in [
            "GRAVE   appendonly: no: when Redis ends, all accounts since its last dump are gone, and there may be no dump",
            "GRAVE   maxmemory-policy: allkeys-lru: when its memory is full Redis throws accounts away",
            "        → redis-cli CONFIG SET maxmemory-policy noeviction, then redis-cli CONFIG REWRITE",
        ] { #expect(lines(diagnosis).contains(line)) }
    }

    @Test("following the remedy makes a running server keep what it has")
    func remedy() throws {
        let server = try RunningServer(workers: 1, isPersistent: false)
        let uid = try #require(try server.signInFresh("+16505550130")["localId"])
        server.redis.cli("CONFIG", "SET", "appendonly", "yes")
        server.redis.cli("CONFIG", "REWRITE")
        let isWritten = eventually { server.redis.cli("INFO", "persistence").contains("aof_rewrite_in_progress:0") }
        #expect(isWritten)
        #expect(try server.dialtone("doctor").status == .exited(0))
        server.redis.kill()
        try server.redis.restart()
        #expect(server.redis.cli("--scan", "--pattern", "dt:{u*}:user:*").hasSuffix(uid))
    }

    @Test("a user that may not ask gets what can be told, and nothing is taken for lost")
    func restricted() throws {
        let redis = try RedisServer.start(isPersistent: true)
        let rights = ["~dt:*", "+@read", "+@write", "+@scripting", "+@connection", "+time", "-@dangerous"]
        redis.cli(["ACL", "SETUSER", "dialtone", "on", ">secret"] + rights)
        let login = ["REDIS_USER": "dialtone", "REDIS_PASSWORD": "secret"]
        // Development tools list sessions, which production does not.
        let server = try RunningServer(.production, workers: 1, settings: login, redis: redis)
        let blind = try server.dialtone("doctor")
        #expect(blind.status == .exited(0))
        #expect(lines(blind).contains("ok      rights: this user may run all that Dialtone runs"))
        #expect(lines(blind).contains("unknown appendonly: cannot tell, because this user may not ask for it (INFO)"))
        redis.cli("ACL", "SETUSER", "dialtone", "+info")
        let seeing = try server.dialtone("doctor")
        #expect(lines(seeing).contains("ok      appendonly: yes"))
        #expect(
            lines(seeing).contains(
                "unknown appendfsync: cannot tell, because this user may not ask for it (CONFIG GET)"
            )
        )
        redis.cli("ACL", "SETUSER", "dialtone", "-hset")
        let powerless = try server.dialtone("doctor")
        #expect(powerless.status == .exited(1))
        #expect(powerless.output.contains("GRAVE   rights: this user may not run HSET"))
        #expect(!powerless.output.contains("secret"))
    }

    @Test("a Redis that is not there is one line")
    func absent() throws {
        let server = try RunningServer(workers: 1)
        server.redis.stop()
        let diagnosis = try server.dialtone("doctor")
        #expect(diagnosis.status == .exited(1))
        #expect(diagnosis.errors.hasPrefix("dialtone: unix:"))
        #expect(diagnosis.errors.split(separator: "\n").count == 1)
    }
}

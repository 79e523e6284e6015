import Synchronization
import TestServers
import Testing
import Threads

@testable import Redis

/// Calls whose reply is lost.
@Suite struct SecondTryTests {
    private static let source = Array("redis.call('INCR', KEYS[1]) return redis.call('GET', KEYS[1])".utf8)
    private let repeatable = Script(name: "repeatable", source: source, isRepeatable: true)
    private let other = Script(name: "other", source: source + Array(" ".utf8))
    private let redis: RedisServer
    private let proxy: RedisProxy

    init() throws {
        redis = try RedisServer.start()
        proxy = try RedisProxy(to: redis)
    }

    private func connection(_ secondTries: CountingGate? = nil) throws -> Connection {
        let connection = Connection(
            ConnectionConfiguration(
                servers: ServerList(.unix(path: proxy.socketPath)),
                connectTimeout: .seconds(5),
                commandTimeout: .seconds(1),
                secondTries: secondTries
            )
        )
        _ = try connection.pipeline([repeatable.loading, other.loading])
        return connection
    }

    private func run(_ script: Script, _ connection: Connection, within limit: Duration?) throws(RedisError) -> String?
    {
        try connection.run(script, keys: ["key": "count"], arguments: [:], deadline: limit.map { .now + $0 }).text
    }

    @Test("a repeatable script is retried on a new connection", arguments: [RedisProxy.Ending.hang, .close])
    func repeated(ending: RedisProxy.Ending) throws {
        let connection = try connection()
        proxy.interrupt(afterScripts: 1, ending)
        #expect(try run(repeatable, connection, within: .seconds(30)) == "2")
        #expect(proxy.hasInterrupted())
    }

    @Test("other scripts are not retried, and no script is retried without time left")
    func notRepeated() throws {
        let connection = try connection()
        for (script, limit) in [(other, Duration.seconds(30)), (repeatable, nil), (repeatable, .milliseconds(800))] {
            proxy.interrupt(afterScripts: 1, .hang)
            #expect(throws: RedisError.timedOut) { try run(script, connection, within: limit) }
            #expect(proxy.hasInterrupted())
        }
        #expect(redis.cli("GET", "count").hasPrefix("3"))
    }

    @Test("a refused second try does not hide that the first one may have been executed")
    func refusedAgain() throws {
        let (redis, connection) = (redis, try connection())
        proxy.interrupt(afterScripts: 1, .hang) { redis.cli("CONFIG", "SET", "maxmemory", "1") }
        #expect(throws: RedisError.timedOut) { try run(repeatable, connection, within: .seconds(30)) }
        #expect(proxy.hasInterrupted())
        #expect(throws: RedisError.outOfMemory) { try run(repeatable, connection, within: .seconds(30)) }
        #expect(redis.cli("GET", "count") == "1")
    }

    @Test("a read is retried, alone and in a pipeline")
    func reads() throws {
        let connection = try connection()
        redis.cli("SET", "key", "value")
        proxy.interrupt(afterCommands: 1, .hang)
        #expect(try connection.send(Command("GET", "key"), deadline: .now + .seconds(30)).text == "value")
        #expect(proxy.hasInterrupted())
        for commands in 0...2 {
            proxy.interrupt(afterCommands: commands, .hang)
            let calls = [
                Command("GET", "key"), Command(repeatable, keys: ["key": "count"], arguments: [:]),
                Command("HGETALL", "none"),
            ]
            let replies = try connection.pipeline(calls, deadline: .now + .seconds(30))
            #expect(replies.map(\.text) == ["value", replies[1].text, nil])
            #expect(proxy.hasInterrupted())
        }
    }

    @Test("a write is not retried, and neither is a pipeline that contains one")
    func writes() throws {
        let connection = try connection()
        let write = Command("INCR", "writes")
        for commands in [[write], [Command("GET", "key"), write], [write, Command("GET", "key")]] {
            proxy.interrupt(afterCommands: commands.count, .hang)
            #expect(throws: RedisError.timedOut) {
                try connection.pipeline(commands, deadline: .now + .seconds(30))
            }
            #expect(proxy.hasInterrupted())
        }
        #expect(redis.cli("GET", "writes") == "3")
        _ = try connection.send(Command("PING"))
        redis.pause()
        #expect(throws: RedisError.timedOut) { try connection.send(Command("PING"), deadline: .now + .seconds(30)) }
        redis.resume()
    }

    @Test("read-only requests leave half of the retries to requests that called a script")
    func reserve() throws {
        let tries = CountingGate(maximum: 2)
        let configuration = ConnectionConfiguration(servers: ServerList(.unix(path: "")), secondTries: tries)
        let reading = configuration.groups(ofSecondTryAfterScript: false)
        let afterScript = configuration.groups(ofSecondTryAfterScript: true)
        #expect(tries.enter(in: reading))
        #expect(!tries.enter(in: reading))
        #expect(tries.enter(in: afterScript))
        #expect(!tries.enter(in: afterScript))
        tries.leave(in: reading)
        #expect(tries.enter(in: reading))
    }

    @Test("a request that called a script waits for a restarting server, and others fail immediately")
    func restart() throws {
        let (redis, other) = (redis, other)
        let connection = Mutex(redis.connection())
        @Sendable func call(_ deadline: ContinuousClock.Instant) throws -> String? {
            try connection.withLock {
                try $0.run(other, keys: ["key": "count"], arguments: [:], deadline: deadline).text
            }
        }
        let deadline = ContinuousClock.now + .seconds(120)
        redis.stop()
        let error = #expect(throws: RedisError.self) { try call(deadline) }
        #expect(error?.isUnavailable == true)
        try redis.restart()
        let next = deadline + .seconds(1)
        #expect(eventually { (try? call(next)) == "1" })
        redis.stop()
        let answers = try inParallel(2) { racer -> String? in
            if racer == 0 { return try call(next) }
            try redis.restart()
            return nil
        }
        #expect(answers[0] == "1")
    }

    @Test("replicas confirm a retry that finds everything already written")
    func confirmed() throws {
        let replica = try redis.startReplica()
        let once = Script(
            name: "once",
            source: Array("return redis.call('SET', KEYS[1], '', 'NX') and 1 or 0".utf8),
            isRepeatable: true
        )
        let mark = Script(name: "mark", source: Array("return redis.call('INCR', KEYS[1])".utf8))
        let connection = Connection(
            ConnectionConfiguration(
                servers: ServerList(.unix(path: proxy.socketPath)),
                connectTimeout: .seconds(5),
                commandTimeout: .seconds(4),
                replicaConfirmation: ReplicaConfirmation(replicas: 1, milliseconds: 3900)
            )
        )
        connection.slotMark = { key in Command(mark, keys: ["key": "mark-of-\(key)"], arguments: [:]) }
        func run(_ key: String) throws(RedisError) -> Int64? {
            let deadline = ContinuousClock.now + .seconds(30)
            return try connection.run(once, keys: ["key": key], arguments: [:], isConfirmed: true, deadline: deadline)
                .integer
        }
        #expect(try run("first") == 1)
        #expect(replica.cli("GET", "mark-of-first") == "")
        proxy.interrupt(afterScripts: 1, .hang)
        #expect(try run("second") == 0)
        #expect(proxy.hasInterrupted())
        #expect(replica.cli("GET", "mark-of-second") == "1")
        // Writes that a replica lacks are not confirmed, although the second execution wrote nothing itself.
        let isPaused = Mutex(false)
        proxy.interrupt(afterScripts: 1, .hang) {
            replica.pause()
            isPaused.withLock { $0 = true }
        }
        #expect(throws: RedisError.notReplicated(replicas: 0, of: 1)) { try run("third") }
        #expect(isPaused.withLock { $0 })
        replica.resume()
    }

    @Test("a request has one retry, and a process has a bounded number of concurrent retries")
    func bounds() throws {
        let connection = try connection()
        let deadline = ContinuousClock.now + .seconds(30)
        proxy.interrupt(afterScripts: 1, .hang)
        _ = try connection.run(repeatable, keys: ["key": "count"], arguments: [:], deadline: deadline)
        proxy.interrupt(afterScripts: 1, .hang)
        #expect(throws: RedisError.timedOut) {
            try connection.run(repeatable, keys: ["key": "count"], arguments: [:], deadline: deadline)
        }
        let without = try self.connection(CountingGate(maximum: 0))
        proxy.interrupt(afterScripts: 1, .hang)
        #expect(throws: RedisError.timedOut) { try run(repeatable, without, within: .seconds(30)) }
    }
}

import Redis
import TestServers
import Testing

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

    private func connection(_ secondTries: SecondTries? = nil) throws -> Connection {
        let connection = Connection(
            ConnectionConfiguration(
                endpoint: .unix(path: proxy.socketPath),
                connectTimeout: .seconds(5),
                commandTimeout: .milliseconds(500),
                secondTries: secondTries
            )
        )
        try connection.load([repeatable, other])
        return connection
    }

    private func run(_ script: Script, _ connection: Connection, within limit: Duration?) throws(RedisError) -> String?
    {
        try connection.run(script, keys: ["count"], arguments: [], deadline: limit.map { .now + $0 }).text
    }

    @Test("a repeatable script is called again on a new connection", arguments: [RedisProxy.Ending.hang, .close])
    func repeated(ending: RedisProxy.Ending) throws {
        let connection = try connection()
        proxy.interrupt(afterScripts: 1, ending)
        #expect(try run(repeatable, connection, within: .seconds(30)) == "2")
        #expect(proxy.hasInterrupted())
    }

    @Test("another one is not, and nothing is without a deadline that leaves time")
    func notRepeated() throws {
        let connection = try connection()
        for (script, limit) in [(other, Duration.seconds(30)), (repeatable, nil), (repeatable, .milliseconds(300))] {
            proxy.interrupt(afterScripts: 1, .hang)
            #expect(throws: RedisError.timedOut) { try run(script, connection, within: limit) }
            #expect(proxy.hasInterrupted())
        }
        #expect(redis.cli("GET", "count").hasPrefix("3"))
    }

    @Test("a request has one second try, and a process as many at once as it is allowed")
    func bounds() throws {
        let connection = try connection()
        let deadline = ContinuousClock.now + .seconds(30)
        proxy.interrupt(afterScripts: 1, .hang)
        _ = try connection.run(repeatable, keys: ["count"], arguments: [], deadline: deadline)
        proxy.interrupt(afterScripts: 1, .hang)
        #expect(throws: RedisError.timedOut) {
            try connection.run(repeatable, keys: ["count"], arguments: [], deadline: deadline)
        }
        let without = try self.connection(SecondTries(maximum: 0))
        proxy.interrupt(afterScripts: 1, .hang)
        #expect(throws: RedisError.timedOut) { try run(repeatable, without, within: .seconds(30)) }
    }
}

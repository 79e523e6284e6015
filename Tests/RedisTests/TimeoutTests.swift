import Synchronization
import TestServers
import Testing

@testable import Redis

/// A server that accepts connections but does not reply.
@Suite struct TimeoutTests {
    let redis: RedisServer

    init() throws { redis = try RedisServer.start() }

    @Test("a paused server delays a command until the timeout, and its late reply is dropped")
    func paused() throws {
        let connection = redis.connection(commandTimeout: .seconds(1))
        _ = try connection.send(Command("PING"))
        redis.pause()
        let (duration, error) = measured { () throws(RedisError) in _ = try connection.send(Command("ECHO", "late")) }
        redis.resume()
        #expect(error == .timedOut)
        #expect(duration >= .milliseconds(990))
        for number in 0..<20 as Range<Int64> {
            #expect(try connection.send(Command("ECHO", .integer(number))).text == String(number))
        }
    }

    @Test("a command that blocks gets its time in addition to the timeout")
    func blocking() throws {
        let connection = redis.connection(commandTimeout: .milliseconds(500))
        _ = try connection.send(Command("PING"))
        func pop() throws(RedisError) -> [Reply] {
            let command = Command("BLPOP", "empty", "0.8")
            return try connection.pipeline([command], confirmingSlotsOf: ["empty"], blockingFor: .milliseconds(800))
        }
        #expect(try pop() == [.null])
        redis.pause()
        let (duration, error) = measured { () throws(RedisError) in _ = try pop() }
        redis.resume()
        #expect(error == .timedOut)
        #expect(duration >= .milliseconds(1290))
    }

    @Test("connecting to a paused server fails at the connect timeout, and then backoff applies")
    func connectingToPaused() throws {
        let connection = Connection(
            ConnectionConfiguration(
                servers: ServerList(redis.unixEndpoint),
                connectTimeout: .seconds(1),
                firstRetryDelay: .seconds(5)
            )
        )
        redis.pause()
        let slow = measured { () throws(RedisError) in _ = try connection.send(Command("PING")) }
        let fast = measured { () throws(RedisError) in _ = try connection.send(Command("PING")) }
        redis.resume()
        #expect(slow.error?.isUnavailable == true)
        #expect(slow.duration >= .milliseconds(990))
        #expect(fast.error == slow.error && fast.duration < .seconds(1))
        #expect(eventually { (try? connection.send(Command("PING"))) == .status("PONG") })
    }

    @Test("a near deadline shortens the timeouts of commands and connecting", arguments: [true, false])
    func deadline(isConnected: Bool) throws {
        let connection = redis.connection(connectTimeout: .seconds(60), commandTimeout: .seconds(60))
        if isConnected { _ = try connection.send(Command("PING")) }
        redis.pause()
        let (duration, error) = measured { () throws(RedisError) in
            _ = try connection.send(Command("ECHO", "late"), deadline: .now + .milliseconds(200))
        }
        redis.resume()
        #expect(error == .timedOut)
        // Only the duration distinguishes the deadline from the timeouts.
        #expect((.milliseconds(190) ..< .seconds(30)).contains(duration))
        #expect(try connection.send(Command("ECHO", "next")).text == "next")
    }

    @Test("after the deadline, nothing is sent, and the connection is kept")
    func passedDeadline() throws {
        let connection = redis.connection()
        let identity = try connection.send(Command("CLIENT", "ID"))
        #expect(throws: RedisError.timedOut) { try connection.send(Command("SET", "key", "x"), deadline: .now) }
        #expect(try connection.send(Command("GET", "key")) == .null)
        #expect(try connection.send(Command("CLIENT", "ID")) == identity)
    }

    @Test("while a reply takes long, another thread may be active")
    func steppingAside() throws {
        let waiting = redis.connection(commandTimeout: .seconds(30))
        let other = redis.connection()
        let wait = Mutex(waiting)
        let end = Mutex(other)
        let isActive = try anotherThreadIsActive(
            during: { wait.withLock { _ = try? $0.send(Command("BLPOP", "list", "25")) } },
            ended: { end.withLock { _ = try? $0.send(Command("RPUSH", "list", "x")) } }
        )
        #expect(isActive)
    }

    @Test("the total time for replies that trickle in is bounded")
    func trickle() throws {
        let connection = redis.connection(commandTimeout: .milliseconds(300))
        #expect(throws: RedisError.timedOut) {
            // Sixty replies, one every 100 ms.
            try connection.pipeline(Array(repeating: Command("BLPOP", "none", "0.1"), count: 60))
        }
    }
}

import TestServers
import Testing

@testable import Redis

/// Real Sentinels and a failing master.
@Suite(.serialized) struct FailoverTests {
    private func configuration(_ sentinels: RedisSentinels, _ login: String? = nil) throws -> ConnectionConfiguration {
        ConnectionConfiguration(
            servers: try RedisAddress("redis+sentinel://\(sentinels.list)").servers,
            sentinelPassword: login,
            connectTimeout: .seconds(5),
            commandTimeout: .seconds(5)
        )
    }

    @Test("commands continue after the master was killed, with Sentinels that require a password")
    func killed() throws {
        let sentinels = try RedisSentinels(password: "hush")
        let error = #expect(throws: RedisError.self) {
            try Connection(configuration(sentinels)).send(Command("PING"))
        }
        #expect(error?.description.contains("NOAUTH") == true, "\(error as Any)")
        let wrong = #expect(throws: RedisError.self) {
            try Connection(configuration(sentinels, "hunter2")).send(Command("PING"))
        }
        #expect(wrong?.description.contains("WRONGPASS") == true, "\(wrong as Any)")
        #expect(wrong?.description.contains("hunter2") == false)
        let connection = Connection(try configuration(sentinels, "hush"))
        #expect(try connection.send(Command("SET", "key", "before")) == .status("OK"))
        let master = try #require(sentinels.server(sentinels.masterPort))
        master.kill()
        #expect(
            eventually(within: .seconds(90), every: .milliseconds(50)) {
                (try? connection.send(Command("SET", "key", "after"))) == .status("OK")
            }
        )
        // Another Sentinel may have led the failover, and may have named the new master before this one knew it.
        #expect(
            eventually {
                let next = sentinels.server(sentinels.masterPort)
                return next?.port != master.port && next?.cli("GET", "key") == "after"
            }
        )
    }

    @Test("a paused master that returns as a stale master gets no writes")
    func stale() throws {
        let sentinels = try RedisSentinels()
        let configuration = try configuration(sentinels)
        let connection = Connection(configuration)
        let master = try #require(sentinels.server(sentinels.masterPort))
        #expect(try connection.send(Command("INCR", "count")).integer == 1)
        // Sentinel cannot make this server a replica, so it stays a stale master.
        master.cli("ACL", "SETUSER", "default", "-replicaof", "-slaveof")
        let switches = try #require(configuration.watch?.sentinels.switchCount)
        master.pause()
        #expect(
            eventually(within: .seconds(90), every: .milliseconds(50)) {
                configuration.watch?.sentinels.switchCount != switches && sentinels.masterPort != master.port
            }
        )
        master.resume()
        #expect(
            eventually { (try? connection.send(Command("INCR", "count"))) != nil }
        )
        for _ in 0..<20 { _ = try connection.send(Command("INCR", "count")) }
        #expect(master.cli("ROLE").hasPrefix("master"))
        #expect(master.cli("GET", "count") == "1")
    }

    @Test("writes confirmed while Sentinel replaces a serving master are on the new master")
    func plannedFailover() throws {
        let sentinels = try RedisSentinels()
        var configuration = try configuration(sentinels)
        configuration.replicaConfirmation = ReplicaConfirmation(replicas: 1, milliseconds: 4000)
        let connection = Connection(configuration)
        let former = try #require(sentinels.server(sentinels.masterPort))
        let script = Script(name: "add", source: Array("return redis.call('SADD', KEYS[1], ARGV[1])".utf8))
        var confirmed: Set<Int64> = []
        func write(_ number: Int64) -> Bool {
            let reply = try? connection.run(
                script,
                keys: ["key": "numbers"],
                arguments: ["number": .integer(number)],
                isConfirmed: true,
                deadline: .now + .seconds(5)
            )
            if reply != nil { confirmed.insert(number) }
            return reply != nil
        }
        var number: Int64 = 0
        func writeUntil(_ isOver: () -> Bool) -> Bool {
            eventually(every: .milliseconds(1)) {
                number += 1
                return write(number) && isOver()
            }
        }
        #expect(writeUntil { true })
        // Writes continue immediately, to whichever server accepts them.
        #expect(sentinels.startFailover())
        #expect(writeUntil { sentinels.masterPort != former.port })
        let master = try #require(sentinels.server(sentinels.masterPort))
        let kept = Set(master.cli("SMEMBERS", "numbers").split(separator: "\n").compactMap { Int64($0) })
        #expect(confirmed.subtracting(kept) == [])
    }
}

import Processes
import TestServers
import Testing

/// A deployment whose Redis is monitored by Sentinels.
@Suite(.serialized, .tags(.load)) struct SentinelFailoverTests {
    @Test("users sign in again soon after the master was killed")
    func killedMaster() throws {
        let sentinels = try RedisSentinels()
        let server = try RunningServer(
            settings: ["REDIS_ADDRESS": "redis+sentinel://\(sentinels.list)/0"],
            redis: sentinels.servers[0]
        )
        #expect(try server.signInFresh("+16505550132").status == 200)
        let master = try #require(sentinels.server(sentinels.masterPort))
        master.kill()
        var number = 200
        let isServing = eventually(within: .seconds(90), every: .milliseconds(200)) {
            number = number == 999 ? 200 : number + 1
            return (try? server.signInFresh("+16505550\(number)").status) == 200
        }
        #expect(isServing, "\(server.log.suffix(2000))")
        // Another Sentinel may have led the failover, and may have named the new master before this one knew it.
        #expect(eventually { sentinels.masterPort != master.port })
        let next = try #require(sentinels.server(sentinels.masterPort))
        let other = try #require(sentinels.servers.first { $0.port != master.port && $0.port != next.port })
        #expect(eventually { next.cli("INFO", "replication").contains("port=\(other.port),state=online") })
        #expect(next.cli("--scan", "--pattern", "dt:{u*}:user:*") != "")
        // The Sentinels learn of the new master, and the master of its replica, one after another.
        var diagnosis = try server.dialtone("doctor", "--all")
        let isComplete = try eventually(every: .milliseconds(500)) {
            diagnosis = try server.dialtone("doctor", "--all")
            return ["ok      role: master", "ok      count: 3"].allSatisfy { diagnosis.output.contains($0) }
        }
        #expect(isComplete, "\(diagnosis.output)\(diagnosis.errors)")
        for title in ["Redis master", "Redis replica 127.0.0.1:\(other.port)", "Redis Sentinels"] {
            #expect(diagnosis.output.split(separator: "\n").contains(title[...]), "\(diagnosis.output)")
        }
        #expect(server.runningWorkers.count == 2)
    }
}

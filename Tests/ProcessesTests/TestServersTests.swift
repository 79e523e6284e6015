import Processes
import TestServers
import Testing

/// The servers that other tests stand on.
@Suite struct TestServersTests {
    @Test("the same port is never handed out twice")
    func ports() {
        let ports = (0..<200).map { _ in FreePort.next() }
        #expect(Set(ports).count == ports.count)
    }

    @Test("a Redis restarts on its address, with its data if it is persistent", arguments: [true, false])
    func restart(isPersistent: Bool) throws {
        let redis = try RedisServer.start(isPersistent: isPersistent)
        redis.cli("SET", "key", "two words")
        let before = redis.processID
        redis.kill()
        #expect(redis.processID == nil)
        try redis.restart()
        #expect(redis.processID != before)
        #expect(redis.cli("GET", "key") == (isPersistent ? "two words" : ""))
    }

    @Test("a Redis that cannot start says why")
    func badSetting() {
        #expect(throws: ServerFailure.self) { try RedisServer.start(settings: ["no-such-setting 1"]) }
    }

    @Test("a Redis that is let go stops")
    func deinitialized() throws {
        let processID = try RedisServer.start().processID ?? 0
        #expect(processID > 0)
        #expect(eventually { !isRunning(processID) })
    }
}

import Processes
import TestServers
import Testing

/// The servers that other tests use.
@Suite struct TestServersTests {
    @Test("no port is returned twice")
    func ports() {
        let ports = (0..<200).map { _ in FreePort.next() }
        #expect(Set(ports).count == ports.count)
    }

    @Test("Redis restarts on its address, with its data if it is persistent", arguments: [true, false])
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

    @Test("Redis explains why it cannot start")
    func badSetting() {
        #expect(throws: ServerFailure.self) { try RedisServer.start(settings: ["no-such-setting 1"]) }
    }

    @Test("Redis stops when it is released")
    func deinitialized() throws {
        let processID = try RedisServer.start().processID ?? 0
        #expect(processID > 0)
        #expect(eventually { !isRunning(processID) })
    }
}

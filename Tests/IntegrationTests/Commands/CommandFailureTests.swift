import Processes
import TestServers
import Testing

/// Commands whose Redis does not respond, or refuses a command.
@Suite struct CommandFailureTests {
    @Test(
        "limits reports in one line that Redis refused a command",
        arguments: [
            ["show", "--sign-ups"], ["show", "--network", "192.0.2.1"], ["reset", "--sign-ups"],
            ["reset", "--network", "192.0.2.1"],
        ]
    )
    func limits(arguments: [String]) throws {
        let server = try RunningServer(
            workers: 1,
            settings: ["SIGN_UPS_PER_PROJECT_PER_DAY": "100", "SIGN_UPS_PER_NETWORK_PER_HOUR": "10"]
        )
        let rights = ["~*", "&*", "+@all", "-hgetall", "-zrangebyscore", "-del"]
        server.redis.cli(["ACL", "SETUSER", "limited", "on", ">secret"] + rights)
        try server.change(["REDIS_USER": "limited", "REDIS_PASSWORD": "secret"])
        let finished = try server.dialtone(["limits"] + arguments)
        #expect(finished.status == .exited(1))
        #expect(finished.errors.hasPrefix("dialtone: ") && finished.errors.contains("NOPERM"), "\(finished.errors)")
        #expect(finished.errors.split(separator: "\n").count == 1)
        #expect(finished.output.isEmpty)
    }

    @Test("keys list says why Redis did not report which index key is in force, and still lists all keys")
    func keys() throws {
        let server = try RunningServer(workers: 1)
        server.redis.stop()
        let list = try server.dialtone("keys", "list")
        #expect(list.isFine)
        let lines = list.output.split(separator: "\n")
        #expect(lines.count >= 3, "\(list.output)")
        let index = lines.last { $0.hasPrefix("index-1  Redis did not report which key is in force: ") }
        #expect(index.map { $0.count > "index-1  Redis did not report which key is in force: ".count } == true)
    }
}

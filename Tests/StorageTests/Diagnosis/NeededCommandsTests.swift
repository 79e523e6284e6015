import Processes
import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// The permissions that Dialtone needs from an ACL.
@Suite struct NeededCommandsTests {
    private static let packageFolder = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }

    private static let acl = "~dt:* +@read +@write +@scripting +@connection +time -@dangerous +info"

    /// Returns the names that follow a function's opening parenthesis in the files of some folders.
    private func commands(sentBy function: String, in folders: String...) throws -> Set<String> {
        let paths = folders.map { "\(Self.packageFolder)/Sources/\($0)" }
        let found = try FinishedProcess.run("grep", ["-rhoE", "\(function)\\((to: )?[\"'][A-Z]+"] + paths)
        return Set(found.output.split(separator: "\n").map { String($0.drop { $0 != "\"" && $0 != "'" }.dropFirst()) })
    }

    @Test("doctor checks exactly the commands that the scripts and the store use")
    func complete() throws {
        let senders = "(send|sendAll|replies|[Cc]ommand|^ +|\\[|[?:] )"
        let used = try commands(sentBy: "redis.call", in: "PhoneAuth", "RedisScripts")
            .union(try commands(sentBy: senders, in: "PhoneAuth", "RedisScripts", "Redis"))
            .subtracting(["SCAN", "COPY", "AUTH", "INFO", "CONFIG"])
            .subtracting(["SENTINEL", "SUBSCRIBE"])  // Sent to Sentinels.
            .subtracting(["SYNC", "REPLCONF", "RESTORE", "RENAME"])  // Sent by backups, as another user.
        let asked = Set((NeededCommands.all + NeededCommands.ofClusters).map { String($0.prefix { $0.isLetter }) })
        #expect(used.subtracting(asked) == [])
        #expect(asked.subtracting(used) == [])
    }

    @Test("the documented ACL is sufficient, and a missing permission is named")
    func rights() throws {
        let test = try TestStore()
        let configuration = test.configuration(ofUserWith: Self.acl.split(separator: " ").map(String.init))
        #expect(readFile("\(Self.packageFolder)/systemd/redis.md").contains(Self.acl))
        #expect(try RedisState.read(configuration) { test.now }.refusedCommands == [])

        test.redis.cli("ACL", "SETUSER", "dialtone", "-hset", "-wait")
        let refused = try RedisState.read(configuration) { test.now }.refusedCommands
        #expect(refused == ["WAIT 1 1", "HSET dt:{/}:doctor field value"])
        test.redis.cli("ACL", "SETUSER", "dialtone", "-evalsha")
        #expect(try RedisState.read(configuration) { test.now }.refusedCommands == ["EVALSHA", "SCRIPT LOAD"])
    }
}

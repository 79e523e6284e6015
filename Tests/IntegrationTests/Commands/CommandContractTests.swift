import Encodings
import GatewayStandIn
import Glibc
import Processes
import TestServers
import Testing

@testable import dialtone

/// What all commands promise in `dialtone --help`: exit statuses, the form of errors, and reports as JSON.
@Suite(.timeLimit(.minutes(30))) struct CommandContractTests {
    private static let services: Set = ["worker", "dispatcher", "dev"]

    private func run(_ words: String, _ more: String...) throws -> FinishedProcess {
        try FinishedProcess.run(RunningServer.binary, words.split(separator: " ").map(String.init) + more)
    }

    @Test("a wrong command line ends each command with status 64, and missing settings with status 1")
    func wrongArguments() throws {
        for (words, _) in DeploymentMarkTests.commands {
            let wrong = try run(words, "--no-such-option")
            #expect(wrong.status == .exited(64) && wrong.errors.hasPrefix("dialtone: "), "\(words): \(wrong)")
            let unset = try run(words, "--config", "/nonexistent")
            switch words {
            case "dev", "keys generate", "config example", "version":
                #expect(unset.status == .exited(64) && unset.errors.hasPrefix("dialtone: "), "\(words): \(unset)")
            default:
                let prefix = Self.services.contains(words) ? "{\"time\":" : "dialtone: "
                #expect(unset.status == .exited(1) && unset.errors.hasPrefix(prefix), "\(words): \(unset)")
            }
            #expect(wrong.output + unset.output == "")
        }
    }

    /// Commands that work without Redis, or say on standard output that it is missing.
    private static let independent = [
        "keys rotate", "keys rotate --index", "keys rotate --secrets --at-once", "keys retire", "keys list",
        "config check", "doctor",
    ]

    @Test("without Redis, each command that needs it ends with status 1 and says why")
    func unreachableRedis() throws {
        let server = try RunningServer(workers: 1)
        for worker in server.runningWorkers { worker.stop() }
        try server.folder.write("{\"localId\":\"imported\"}\n", to: "users.jsonl")
        let file = server.folder.path(of: "users.jsonl")
        #expect(try server.makeBackupKey(file + ".key").isFine)
        #expect(try server.dialtone("backup", file + ".backup", "--key", file + ".key").isFine)
        server.redis.stop()
        for (words, use) in DeploymentMarkTests.commands where use == .refused && !Self.services.contains(words) {
            let words = words.replacing("FILE", with: file)
            let finished = try server.dialtone(words.split(separator: " ").map(String.init))
            if Self.independent.contains(words) {
                #expect(finished.status == .exited(words == "doctor" ? 1 : 0), "\(words): \(finished)")
            } else {
                #expect(finished.status == .exited(1), "\(words): \(finished)")
                #expect(finished.errors.contains("dialtone: "), "\(words): \(finished)")
            }
        }
    }

    @Test("a report that does not fit on the disk is an error; one whose reader ends is not reported")
    func lostOutput() throws {
        let full = try FinishedProcess.run("sh", ["-c", "\(RunningServer.binary) config example > /dev/full"])
        #expect(full.status == .exited(1))
        #expect(full.errors == "dialtone: standard output: No space left on device\n")
        let program = "(sleep 1; \(RunningServer.binary) version; echo $? >&2) | true"
        let unread = try FinishedProcess.run("sh", ["-c", program])
        #expect(unread.errors == "1\n")
    }

    @Test("an error does not control the terminal")
    func controlCharacters() throws {
        let server = try RunningServer(workers: 1)
        let unknown = try server.dialtone("users", "show", "\u{1B}[2J\u{202E}")
        #expect(unknown.errors == #"dialtone: "\u001b[2J\u202e": no such account in demo-dialtone"# + "\n")
    }

    @Test("on a terminal, commands that destroy something ask, and change nothing without a yes")
    func confirmation() throws {
        let server = try RunningServer(workers: 1)
        let key = try #require(try server.dialtone("keys", "list").output.split(separator: " ").first)
        let before = server.folder.read("keys.json")
        try server.folder.write("{\"localId\":\"new\"}\n", to: "users.jsonl")
        let commands = [
            "keys rotate --at-once", "keys retire \(key) --force", "config reset", "users delete +16505550101",
            "users import \(server.folder.path(of: "users.jsonl")) --existing overwrite",
        ]
        for words in commands {
            _ = try server.signInFresh("+16505550101")
            let command = "\(RunningServer.binary) \(words) --config \(server.configuration)"
            let refused = try FinishedProcess.run("sh", ["-c", "echo n | script -qec '\(command)' /dev/null"])
            #expect(refused.output.contains("[y/N]"), "\(words): \(refused)")
            #expect(refused.output.contains("dialtone: nothing was changed"), "\(words): \(refused)")
            #expect(refused.status == .exited(1))
        }
        #expect(server.folder.read("keys.json") == before)
        #expect(try server.dialtone("users", "show", "new").status == .exited(1))
    }

    // MARK: Reports

    /// Returns the types of objects that a command's help describes, with their members.
    private func documented(_ words: String) throws -> [String: Set<String>] {
        let help = try run(words, "--help").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let beginning = "With --json, the types of objects (and their members): "
        guard let range = help.firstRange(of: beginning) else { return [:] }
        let text = help[range.upperBound...].prefix { $0 != "." }
        let types = text.split(separator: "; ").map { type in
            let parts = type.split(separator: " (")
            return (String(parts[0]), Set(parts[1].dropLast().split(separator: ", ").map(String.init)))
        }
        return Dictionary(uniqueKeysWithValues: types)
    }

    @Test("reports as JSON have the types and members that the help of their commands describes")
    func reports() async throws {
        let settings = [
            "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled", "GATEWAY_FIRST_PRICES": "*=0.05",
            "GATEWAY_SECOND_PRICES": "*=0.05", "SMS_SPEND_CAPS": "*=5", "ADMIN_ROUTES": "enabled",
        ]
        let deployment = try await MessageDeployment.start(settings: settings)
        let server = deployment.server
        try server.startDispatcher()
        deployment.first.queue(.answer(422))
        let sent = try server.sendVerificationCode("+16505550103")
        let reference = try #require(sent.headers["dialtone-reference"])
        #expect(eventually { deployment.queued == 0 })
        deployment.first.always(.answer(422))
        deployment.second.always(.answer(422))
        _ = try server.sendVerificationCode("+16505550104")
        #expect(eventually { deployment.queued == 0 })
        #expect(try server.adminToken("backend") != "")
        #expect(try server.dialtone("test-numbers", "set", "+16505550172", "314159").isFine)
        var user = try SecondFactorUser(server)
        _ = try user.enrollApp()
        let change = try HTTPClient(port: server.port).request(
            "PATCH",
            "/admin/v2/projects/demo-dialtone/config?updateMask=mfa.state",
            headers: [("Content-Type", "application/json"), ("Authorization", "Bearer owner")],
            body: Array(#"{"mfa":{"state":"ENABLED"}}"#.utf8)
        )
        #expect(change.status == 200, "\(change.text)")
        let all = try DeploymentMarkTests.allCommands()

        let reports = [
            "users list", "users show \(user.uid)", "users mfa list \(user.uid)", "test-numbers list",
            "admin-tokens list",
            "limits show +16505550103", "limits show --network 192.0.2.1", "sms report", "sms report --prefixes",
            "doctor", "outbox show", "explain \(reference)", "explain +16505550103", "audit", "keys list",
            "numbering show", "config check",
            "config show",
        ]
        var (checked, unseen) = (Set<String>(), Set<String>())
        for words in reports {
            let command = try #require(all.first { words == $0 || words.hasPrefix($0 + " ") })
            let described = try documented(command)
            if checked.insert(command).inserted { unseen.formUnion(described.keys.map { "\(command): \($0)" }) }
            let finished = try server.dialtone(words.split(separator: " ").map(String.init) + ["--json"])
            for line in finished.output.split(separator: "\n") {
                let object = try #require(JSONObject(parsing: Array(line.utf8)), "\(words): \(line)")
                let members = try #require(described[object.text("type")], "\(words): \(line)")
                unseen.remove("\(command): \(object.text("type"))")
                let names = object.members.map(\.name)
                #expect(names.first == "type" && Set(names.dropFirst()).isSubset(of: members), "\(words): \(line)")
            }
        }
        #expect(unseen == ["sms report: debt"])
        #expect(try Set(all.filter { try !documented($0).isEmpty }) == checked)
    }
}

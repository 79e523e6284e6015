import Encodings
import Glibc
import PhoneAuth
import Processes
import TestServers
import Testing

@testable import dialtone

/// `dialtone keys rotate`, `list` and `retire` from the command line, without Redis.
@Suite struct KeysCommandTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "keys.json")
        let made = try FinishedProcess.run(RunningServer.binary, ["keys", "generate", "--output", path])
        try #require(made.isFine)
        try folder.write(
            """
            DIALTONE_PROJECTS=acme
            DIALTONE_PROJECT_ACME_API_KEYS=key
            DIALTONE_REDIS_ADDRESS=unix:/nonexistent.sock
            DIALTONE_KEY_FILE=\(path)

            """,
            to: "dialtone.conf"
        )
    }

    private func keys(_ arguments: String...) throws -> FinishedProcess {
        try FinishedProcess.run(
            RunningServer.binary,
            ["keys"] + arguments + ["--config", folder.path(of: "dialtone.conf")]
        )
    }

    /// Returns the signing keys.
    private func list() throws -> [(id: String, state: String)] {
        try keys("list").output.split(separator: "\n").filter { !$0.hasPrefix("secrets-") && !$0.hasPrefix("index-") }
            .map { line in
                let id = line.prefix { $0 != " " }
                return (String(id), String(line.dropFirst(id.count + 2)))
            }
    }

    /// Simulates the passage of time: all start times in the file become earlier by `seconds`.
    private func advance(by seconds: Int64) throws {
        guard case .object(let file) = try JSONValue.parse(try dialtone.readFile(path)),
            case .array(let entries) = file["signingKeys"]
        else { throw ServerFailure(description: "no key file") }
        var text = folder.read("keys.json")
        for case .object(let entry) in entries {
            guard case .number(let time)? = entry["signsFrom"], let begins = Int64(time) else { continue }
            text = text.split(separator: "\"signsFrom\":\(time)").joined(separator: "\"signsFrom\":\(begins - seconds)")
        }
        try folder.write(text, to: "keys.json")
    }

    @Test("a key is rotated, signs, and is retired at the end")
    func life() throws {
        let old = try #require(try list().first)
        #expect(old.state.hasPrefix("signing since 20"))
        let rotated = try keys("rotate")
        #expect(rotated.isFine)
        let new = String(rotated.output.prefix { $0 != " " })
        #expect(rotated.output.hasPrefix("\(new)  is published now and signs from 20"))
        #expect(try list().map(\.id) == [old.id, new])
        #expect(try list()[1].state.hasPrefix("next, signs from 20"))

        let again = try keys("rotate")
        #expect(again.status == .exited(1))
        #expect(again.errors.hasPrefix("dialtone: \(path): the key \(new) is already next; it signs from 20"))
        let early = try keys("retire", new)
        #expect(early.status == .exited(1))
        #expect(early.errors.contains("the key \(new) will sign from 20"))

        try advance(by: 3961)
        #expect(try list()[0].state.hasPrefix("verifies only, until 20"))
        #expect(try list()[1].state.hasPrefix("signing since 20"))
        #expect(try keys("retire").output == "no key can be retired yet\n")
        let needed = try keys("retire", old.id)
        #expect(needed.status == .exited(1))
        #expect(needed.errors.contains("tokens signed with the key \(old.id) are valid until 20"))
        #expect(needed.errors.contains("--force removes it, and they are rejected"))

        try advance(by: SigningKeys.memory.components.seconds)
        #expect(try list()[0].state.hasPrefix("can be retired since 20"))
        #expect(try keys("retire").output == "\(old.id)  removed\n")
        #expect(try list().map(\.id) == [new])
        let last = try keys("retire", new, "--force")
        let refusal = "the key \(new) is in use; add another one first: dialtone keys rotate"
        #expect(last.errors == "dialtone: \(path): \(refusal)\n")
        #expect(try list().map(\.id) == [new])
    }

    @Test("--force removes a key that is still in use, and requires its id")
    func force() throws {
        let old = try #require(try list().first?.id)
        #expect(try keys("rotate", "--at-once").output.hasSuffix("  signs now\n"))
        #expect(try keys("retire", "--force").errors.contains("--force: name the key to remove"))
        #expect(try keys("retire", "unknown").errors == "dialtone: \(path): \"unknown\": no such signing key\n")
        #expect(try keys("retire", old, "--force").output == "\(old)  removed\n")
        #expect(try list().count == 1)
    }

    @Test("the wait is at least the verifiers' cache time, and can be longer")
    func wait() throws {
        #expect(
            try keys("rotate", "--after-minutes", "65").errors
                == "dialtone: --after-minutes \"65\": verifiers cache the public keys; use at least 66\n"
        )
        #expect(try keys("rotate", "--after-minutes", "66", "--at-once").status != .exited(0))
        #expect(try list().count == 1)
        #expect(try keys("rotate", "--after-minutes", "1440").isFine)
        let states = try KeyFile.parse(try dialtone.readFile(path)).signingKeys.current.states(
            at: Environment.system.now()
        )
        guard case .next(let signsFrom) = states[1].state else {
            Issue.record("it does not wait")
            return
        }
        let wait = signsFrom - Environment.system.now()
        #expect(wait > .seconds(86_300) && wait <= .seconds(86_402))
    }

    @Test("of concurrent rotations one succeeds, the others report why not, and the file stays intact and private")
    func atOnce() throws {
        let runs = try inParallel(4) { [self] _ in try keys("rotate") }
        #expect(runs.filter { $0.status == .exited(0) }.count == 1)
        for run in runs where run.status != .exited(0) { #expect(run.errors.contains("is already next")) }
        #expect(try list().count == 2)
        var information = stat()
        #expect(stat(path, &information) == 0)
        #expect(information.st_mode & 0o7777 == 0o600)
        #expect(try FinishedProcess.run("ls", ["-A", folder.path]).output == "dialtone.conf\nkeys.json\n")
    }

    @Test("secrets are listed, and a second rotation is refused until the first takes effect")
    func secrets() throws {
        func secrets() throws -> [Substring] {
            try keys("list").output.split(separator: "\n").filter { $0.hasPrefix("secrets-") }
        }
        #expect(try secrets() == ["secrets-1  in use"])
        let rotated = try keys("rotate", "--secrets")
        #expect(rotated.isFine)
        #expect(rotated.output.hasPrefix("secrets-2  are used from 20"))
        #expect(try secrets().first == "secrets-1  in use")
        #expect(try secrets().last?.hasPrefix("secrets-2  next, used from 20") == true)
        let again = try keys("rotate", "--secrets")
        #expect(again.status == .exited(1))
        #expect(again.errors.contains("secrets-2 are already next; they are used from 20"))
        #expect(try list().count == 1)
    }

    @Test("an invalid file is left unchanged", arguments: ["rotate", "list", "retire"])
    func broken(command: String) throws {
        let half = String(folder.read("keys.json").prefix(500))
        try folder.write(half, to: "keys.json")
        let run = try keys(command)
        #expect(run.status == .exited(1))
        #expect(run.errors == "dialtone: \(path): the key file is not a JSON object\n")
        #expect(folder.read("keys.json") == half)
    }
}

import Glibc
import Processes
import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// The headers of the Lua files. A debug build compares the names in them with those of each script's first call.
@Suite struct ScriptHeaderTests {
    private static let sources =
        #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" } + "/Sources"

    private func files() throws -> [LuaFile] {
        let find = [Self.sources, "-name", "*.lua"]
        let paths = try FinishedProcess.run("find", find).output.split(separator: "\n").map(String.init)
        let texts = Dictionary(
            uniqueKeysWithValues: paths.map { path in
                (String(path.split(separator: "/").last?.dropLast(".lua".count) ?? ""), Array(readFile(path).utf8))
            }
        )
        return texts.map { LuaFile(name: $0.key, text: $0.value, functions: { texts[$0] }) }
    }

    @Test("a header says what the script returns and whether a call may be repeated, and names only what exists")
    func complete() throws {
        let files = try files()
        let used = Set(files.flatMap(\.usedNames))
        #expect(used.isSubset(of: files.map(\.name)))
        for file in files {
            let header = file.header.joined(separator: "\n")
            let isScript = !used.contains(file.name)
            #expect(header.contains("\n-- RETURNS  ") == isScript, "\(file.name)")
            #expect(header.ranges(of: "REPEATABLE: ").count == (isScript ? 1 : 0), "\(file.name)")
            #expect(!file.usedNames.contains("executed-calls") || file.isRepeatable, "\(file.name)")
        }
    }

    @Test("each outcome of a sign-in that the header documents is read, and no other")
    func signInOutcomes() throws {
        let names = ["record-sign-in", "look-ahead-at-sign-in", "sign-in-obstacles", "new-account"]
        let header = try files().filter { names.contains($0.name) }.flatMap(\.header).joined(separator: "\n")
        let documented = header.ranges(of: "{\"").map { header[$0.upperBound...].prefix { $0 != "\"" } }
        let read = SignInObstacle.Word.allCases.map(\.rawValue) + SecondFactorFault.Word.allCases.map(\.rawValue)
        #expect(Set(documented.map(String.init)) == Set(read + ["changed", "possible", "signed-in"]))
    }

    @Test("a script refers to keys and arguments by name and not by number")
    func named() throws {
        for file in try files() {
            let code = String(decoding: file.text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("--") }
            #expect(!code.contains { $0.contains("KEYS") || $0.contains("ARGV") }, "\(file.name)")
        }
    }

    @Test("the files that a file uses precede it, each exactly once, even if several files use them")
    func order() throws {
        let file = try #require(try files().first { $0.name == "account-changes" })
        let names = file.withUsedFiles.map(\.name)
        #expect(Set(names).count == names.count && names.contains("revocation"))
        let text = String(decoding: file.completeText, as: UTF8.self)
        for used in file.withUsedFiles {
            let code = String(decoding: used.text.drop { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            if used.usedNames.isEmpty { #expect(text.ranges(of: code).count == 1, "\(used.name)") }
        }
        let audit = try #require(text.firstRange(of: "local function audit("))
        let change = try #require(text.firstRange(of: "local function changeFields("))
        #expect(audit.upperBound < change.lowerBound)
    }

    @Test("a file that only a branch uses is in this branch, unless it precedes the branch")
    func places() throws {
        let file = try #require(try files().first { $0.name == "record-sign-in" })
        let text = String(decoding: file.completeText, as: UTF8.self)
        #expect(text.ranges(of: "local function writeEvent(").count == 1)
        #expect(text.ranges(of: "local function changeFields(").count == 1)
        let branch = try #require(text.firstRange(of: "if not isPlain then"))
        #expect(try #require(text.firstRange(of: "local function writeEvent(")).upperBound < branch.lowerBound)
        #expect(try #require(text.firstRange(of: "local function changeFields(")).lowerBound > branch.upperBound)
    }

    @Test("an argument that the header does not document, or that the call lacks, stops a debug build")
    func undocumented() async {
        await #expect(processExitsWith: .failure) {
            _ = LuaScript.deleteIfEqual.script(["key": "k"], ["expected": "h", "another": 1])
        }
        await #expect(processExitsWith: .failure) {
            _ = LuaScript.deleteIfEqual.script(["key": "k"], [:])
        }
        await #expect(processExitsWith: .success) {
            _ = LuaScript.deleteIfEqual.script(["key": "k"], ["expected": "h"])
            exit(0)
        }
    }
}

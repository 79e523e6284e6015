import Glibc
import Processes
import TestServers
import Testing

@testable import dialtone

/// The file of an export, which gets its name only when it is complete.
@Suite(.sharedServer) struct ExportFileTests {
    private let folder: TemporaryFolder
    private let path: String
    private let draft: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "users.jsonl")
        draft = path + ".partial"
    }

    private func export(_ text: String, replaces: Bool = true) throws {
        let file = try ExportFile(path, replaces: replaces)
        defer { file.discard() }
        try file.write(Array(text.utf8))
        try file.finish()
    }

    @Test("while an export is being written, another process cannot export to the same file")
    func overlap() throws {
        let server = try #require(SharedServer.current)
        try folder.write("the last backup", to: "users.jsonl")
        let first = try ExportFile(path, replaces: true)
        try first.write(Array("the first half".utf8))

        let second = try server.dialtone("users", "export", "--output", path, "--force")
        let refusal = "\(path): another export is writing this file; wait for it, or use another file"
        #expect(second.status == .exited(1) && second.errors == "dialtone: \(refusal)\n", "\(second.errors)")
        #expect(TestServers.readFile(path) == "the last backup")

        try first.write(Array(" and the second".utf8))
        try first.finish()
        #expect(TestServers.readFile(path) == "the first half and the second")
        #expect(access(draft, F_OK) != 0)
        #expect(try server.dialtone("users", "export", "--output", path, "--force").isFine)
    }

    @Test("the draft of an export that was killed is overwritten, and only its owner can read it")
    func killed() throws {
        try folder.write("a longer text than that of the next export", to: "users.jsonl.partial")
        #expect(chmod(draft, 0o644) == 0)
        try export("short", replaces: false)
        #expect(TestServers.readFile(path) == "short")
        var information = stat()
        #expect(stat(path, &information) == 0 && information.st_mode & 0o777 == 0o600)
    }

    @Test("if an export was killed after its file got its name, the next export does not change the file early")
    func linked() throws {
        try folder.write("the last backup", to: "users.jsonl")
        #expect(link(path, draft) == 0)
        let next = try ExportFile(path, replaces: true)
        #expect(TestServers.readFile(path) == "the last backup")
        next.discard()
        #expect(TestServers.readFile(path) == "the last backup" && access(draft, F_OK) != 0)
    }

    @Test("a draft that another process replaced is not published")
    func replaced() throws {
        try folder.write("the last backup", to: "users.jsonl")
        let file = try ExportFile(path, replaces: true)
        #expect(unlink(draft) == 0)
        try folder.write("of another process", to: "users.jsonl.partial")
        #expect(throws: Failure.self) { try file.finish() }
        file.discard()
        #expect(TestServers.readFile(path) == "the last backup")
        #expect(TestServers.readFile(draft) == "of another process")
    }
}

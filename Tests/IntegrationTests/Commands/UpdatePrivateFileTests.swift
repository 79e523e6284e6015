import Glibc
import Processes
import Synchronization
import TestServers
import Testing

@testable import dialtone

/// Files that are changed completely or not at all.
@Suite struct UpdatePrivateFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "keys.json")
        try folder.write("0", to: "keys.json")
    }

    private func information() throws -> stat {
        var information = stat()
        try #require(stat(path, &information) == 0)
        return information
    }

    private func entries() throws -> String {
        try FinishedProcess.run("ls", ["-A", folder.path]).output
    }

    @Test(
        "permissions are kept, except that no one else may read and no one may execute",
        arguments: [
            (0o600, 0o600), (0o640, 0o640), (0o400, 0o400), (0o644, 0o640), (0o777, 0o640),
        ] as [(mode_t, mode_t)]
    )
    func mode(before: mode_t, after: mode_t) throws {
        #expect(chmod(path, before) == 0)
        try updatePrivateFile(path) { $0 + [UInt8(ascii: "1")] }
        #expect(TestServers.readFile(path) == "01")
        #expect(try information().st_mode & 0o7777 == after)
    }

    @Test("owner and group are kept", .enabled(if: geteuid() == 0))
    func owner() throws {
        #expect(chown(path, 4321, 8765) == 0)
        try updatePrivateFile(path) { $0 }
        #expect(try information().st_uid == 4321)
        #expect(try information().st_gid == 8765)
    }

    @Test("a symbolic link is kept, and its target is changed")
    func link() throws {
        let link = folder.path(of: "link")
        #expect(symlink("keys.json", link) == 0)
        try updatePrivateFile(link) { _ in [UInt8(ascii: "2")] }
        #expect(TestServers.readFile(path) == "2")
        #expect(try entries() == "keys.json\nlink\n")
    }

    @Test("a failed or empty change leaves the same file and no temporary file")
    func unchanged() throws {
        let before = try information()
        #expect(throws: Failure.self) { try updatePrivateFile(path) { _ in throw Failure("no") } }
        try updatePrivateFile(path) { _ in nil }
        #expect(try information().st_ino == before.st_ino)
        #expect(try entries() == "keys.json\n")
        #expect(throws: Failure.self) { try updatePrivateFile(folder.path(of: "missing")) { $0 } }
    }

    @Test("a leftover temporary file of a dead process does not prevent a change")
    func leftover() throws {
        try folder.write("half", to: "keys.json.new")
        try updatePrivateFile(path) { $0 + [UInt8(ascii: "3")] }
        #expect(TestServers.readFile(path) == "03")
        #expect(try entries() == "keys.json\n")
    }

    @Test("concurrent changes are all applied, and a reader always sees a complete file")
    func atOnce() throws {
        let path = path
        let isOver = Atomic<Bool>(false)
        let changes = try inParallel(5) { thread in
            if thread == 4 {
                var lengths: Set<Int> = []
                while !isOver.load(ordering: .relaxed) { lengths.insert(try dialtone.readFile(path).count % 1000) }
                return lengths == [1] ? 0 : -1
            }
            for _ in 0..<25 {
                try updatePrivateFile(path) { $0 + [UInt8](repeating: UInt8(ascii: "x"), count: 1000) }
            }
            if TestServers.readFile(path).utf8.count == 100_001 { isOver.store(true, ordering: .relaxed) }
            return 25
        }
        #expect(changes == [25, 25, 25, 25, 0])
    }
}

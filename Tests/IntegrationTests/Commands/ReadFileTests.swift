import Glibc
import Processes
import TestServers
import Testing

@testable import dialtone

/// Files that a setting or an argument names.
@Suite struct ReadFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "numbering.tsv")
    }

    private func refusal() -> String? {
        #expect(throws: Failure.self) { try dialtone.readFile(path) }?.description
    }

    @Test("a pipe is refused at once, although nothing writes to it")
    func pipe() throws {
        try #require(mkfifo(path, 0o600) == 0)
        #expect(refusal() == "\(path): a pipe, not a file")
    }

    @Test("an endless file is refused")
    func endless() throws {
        #expect(throws: Failure.self) { try dialtone.readFile("/dev/zero") }
    }

    @Test("files of up to 16 MiB are read")
    func size() throws {
        try folder.write("", to: "numbering.tsv")
        try #require(truncate(path, 16 << 20) == 0)
        #expect(try dialtone.readFile(path).count == 16 << 20)
        try #require(truncate(path, 16 << 20 + 1) == 0)
        #expect(refusal() == "\(path): 16777217 bytes, at most 16777216 are read")
    }
}

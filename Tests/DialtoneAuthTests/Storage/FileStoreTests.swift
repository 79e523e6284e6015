import Foundation
import Processes
import Testing

@testable import DialtoneAuth

@Suite struct FileStoreTests {
    private let parent: TemporaryFolder
    private let store: FileStore

    init() throws {
        parent = try TemporaryFolder(prefix: "dialtone-auth")
        store = FileStore(folder: URL(fileURLWithPath: parent.path).appendingPathComponent("a/b"))
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test("values are stored, replaced and removed")
    func values() throws {
        #expect(try store.read("session") == nil)
        try store.remove("session")
        try store.write(Data("one".utf8), for: "session")
        try store.write(Data("two".utf8), for: "session")
        #expect(try store.read("session") == Data("two".utf8))
        try store.remove("session")
        #expect(try store.read("session") == nil)
    }

    @Test("files have mode 0600 and the folder 0700, whatever they had before, and nothing else remains")
    func modes() throws {
        try store.write(Data("one".utf8), for: "session")
        let file = store.folder.appendingPathComponent("session")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        try store.write(Data("two".utf8), for: "session")
        #expect(try mode(file) == 0o600)
        #expect(try mode(store.folder) == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == ["session"])
    }

    @Test("the remains of an interrupted write are removed with the file")
    func interrupted() throws {
        try store.write(Data("one".utf8), for: "session")
        try Data("secret".utf8).write(to: store.folder.appendingPathComponent(".session-1"))
        try Data("kept".utf8).write(to: store.folder.appendingPathComponent("verification"))
        try store.remove("session")
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == ["verification"])
    }

    @Test("a symbolic link is replaced and never followed")
    func links() throws {
        try store.write(Data("one".utf8), for: "other")
        let target = parent.path(of: "target")
        try Data("kept".utf8).write(to: URL(fileURLWithPath: target))
        let link = store.folder.appendingPathComponent("session").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(throws: (any Error).self) { try store.read("session") }
        try store.write(Data("two".utf8), for: "session")
        #expect(FileManager.default.contents(atPath: target) == Data("kept".utf8))
        #expect(try store.read("session") == Data("two".utf8))
    }
}

import Foundation
import Processes
import Testing

@testable import DialtoneAuth

/// A keychain, which outlives apps, and the containers of their installations, which do not.
@Suite struct InstallationStoreTests {
    private let keychain = MemoryStore()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(prefix: "dialtone-installation") }

    private func container(_ name: String) -> FileStore {
        FileStore(folder: URL(fileURLWithPath: folder.path(of: name)))
    }

    @Test("a new installation removes what an earlier one stored, and a restart does not")
    func installations() throws {
        let first = InstallationStore(keychain, container: container("first"))
        for key in ["session", "verification", "app-credential"] { try first.write(Data("1".utf8), for: key) }
        #expect(try InstallationStore(keychain, container: container("first")).read("session") == Data("1".utf8))
        let second = InstallationStore(keychain, container: container("second"))
        #expect(try second.read("session") == nil)
        #expect(keychain.state.with { $0.values.isEmpty })
        try second.write(Data("2".utf8), for: "session")
        #expect(try InstallationStore(keychain, container: container("second")).read("session") == Data("2".utf8))
    }

    @Test("a container that cannot be read yet does not count as a new installation")
    func locked() throws {
        let first = InstallationStore(keychain, container: container("first"))
        try first.write(Data("1".utf8), for: "session")
        let mark = URL(fileURLWithPath: folder.path(of: "first")).appendingPathComponent("installation")
        try FileManager.default.removeItem(at: mark)
        // A folder in place of the file can be opened but not read.
        try FileManager.default.createDirectory(at: mark, withIntermediateDirectories: false)
        let locked = InstallationStore(keychain, container: container("first"))
        #expect(throws: (any Error).self) { try locked.read("session") }
        try FileManager.default.removeItem(at: mark)
        try container("first").write(Data(), for: "installation")
        #expect(try locked.read("session") == Data("1".utf8))
    }

    @Test("if the installation cannot be marked, the app works, and its next start has no session")
    func unmarkable() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path(of: "file")))
        let store = InstallationStore(keychain, container: container("file/container"))
        try store.write(Data("1".utf8), for: "session")
        #expect(try store.read("session") == Data("1".utf8))
        #expect(try InstallationStore(keychain, container: container("file/container")).read("session") == nil)
    }

    @Test("a keychain that cannot be emptied yet is emptied later")
    func unreadableKeychain() throws {
        try keychain.write(Data("1".utf8), for: "session")
        keychain.fail(NSError(domain: "locked", code: 1))
        let store = InstallationStore(keychain, container: container("new"))
        #expect(throws: (any Error).self) { try store.read("session") }
        keychain.fail(nil)
        #expect(try store.read("session") == nil)
    }
}

import Glibc
import Logging
import PhoneAuth
import Processes
import TestServers
import Testing

@testable import dialtone

/// A worker's periodic checks of its key file, called one by one.
@Suite struct KeyFileWatchTests {
    private let folder: TemporaryFolder
    private let path: String
    private let keys: ServerKeys
    private let lines = LoggedLines()
    private let watch: KeyFileWatch

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "keys.json")
        try createPrivateFile(path, try NewKeys.keyFile())
        keys = try KeyFile.parse(try readFile(path))
        watch = KeyFileWatch(path, keys, Policy(), .system, lines.logger)
        watch.look()
    }

    private var published: Int { keys.signingKeys.current.published.count }

    private func rotate(after lead: Duration = Policy().signingKeyLead) throws {
        let key = try NewKeys.signingKey()
        try updatePrivateFile(path) { text in
            try KeyFile.rotate(text, to: key, after: lead, at: Environment.system.now()).text
        }
    }

    private func write(_ bytes: some Sequence<UInt8>) throws {
        try folder.write(String(decoding: Array(bytes), as: UTF8.self), to: "keys.json")
    }

    @Test("a changed file is loaded at the next check, and an unchanged one is not logged")
    func follows() throws {
        for _ in 0..<5 { watch.look() }
        #expect(lines.all.isEmpty)
        try rotate()
        #expect(published == 1)
        for _ in 0..<5 { watch.look() }
        #expect(published == 2)
        #expect(lines.all.map(\.message) == ["the signing keys changed"])
        #expect(lines.all[0].metadata == ["signs": keys.signingKeys.current.published[0].id, "published": "2"])
    }

    /// Invalid contents, or no file, in place of the key file.
    enum Fault: CaseIterable {
        case empty, half, noJSON, otherDeployment, missing, folder, unreadable
    }

    @Test(
        "with an invalid key file, the keys are kept and one line is logged; a valid file is then loaded",
        arguments: Fault.allCases
    )
    func faults(_ fault: Fault) throws {
        try rotate()
        let good = try dialtone.readFile(path)
        switch fault {
        case .empty: try write([])
        case .half: try write(good.prefix(good.count / 2))
        case .noJSON: try write("not a key file".utf8)
        case .otherDeployment: try write(try NewKeys.keyFile())
        case .missing: unlink(path)
        case .folder:
            unlink(path)
            mkdir(path, 0o700)
        case .unreadable:
            unlink(path)
            symlink(path, path)
        }
        for _ in 0..<5 { watch.look() }
        #expect(published == 1)
        #expect(lines.all.count == 1)
        let line = try #require(lines.all.first)
        #expect(line.level == .error)
        #expect(line.message == "the key file cannot be used: the keys stay unchanged")
        #expect(line.metadata["reason"]?.hasPrefix(path) == true)
        #expect(!line.text.contains("PRIVATE KEY"))

        unlink(path)
        rmdir(path)
        try write(good)
        for _ in 0..<5 { watch.look() }
        #expect(published == 2)
        #expect(lines.all.map(\.level) == [.error, .info])
    }

    @Test("a file that grows byte by byte is loaded only once it is complete")
    func grows() throws {
        try rotate()
        let good = try dialtone.readFile(path)
        for count in stride(from: 0, to: good.count, by: 97) {
            try write(good.prefix(count))
            watch.look()
            #expect(published == 1)
        }
        try write(good)
        watch.look()
        #expect(published == 2)
    }

    @Test("a key that signs before every verifier can have it is loaded with a warning", arguments: [0, 60, 3599])
    func tooSoon(seconds: Int) throws {
        try rotate(after: .seconds(seconds))
        watch.look()
        #expect(published == 2)
        #expect(lines.all.map(\.level) == [.info, .warning])
        #expect(lines.all[1].metadata == ["key": keys.signingKeys.current.published[1].id])
    }
}

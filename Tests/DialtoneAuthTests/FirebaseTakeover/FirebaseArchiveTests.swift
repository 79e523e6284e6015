import Foundation
import Testing

@testable import DialtoneAuth

/// The archives in which the Firebase SDK stores a session.
@Suite struct FirebaseArchiveTests {
    private let key = "__FIRAPP_DEFAULT_firebase_user"

    private func read(_ archive: Data, key: String? = nil) -> FirebaseSession? {
        FirebaseSession(archive: archive, key: key ?? self.key)
    }

    @Test("a session is read, whatever the characters and lengths of its texts", arguments: [true, false])
    func session(isSecure: Bool) throws {
        for uid in ["ann", String(repeating: "u", count: 128), "Ännchen ☎"] {
            for token in ["t", String(repeating: "t", count: 14), String(repeating: "t", count: 15), longToken] {
                let archive = ArchivedUser.archive(uid, refreshToken: token, idToken: "i\(token)", isSecure: isSecure)
                let session = try #require(read(archive), "\(uid) \(token.count)")
                #expect(session.uid == uid)
                #expect(session.refreshToken == token)
                #expect(session.idToken == "i\(token)")
                #expect(session.apiKey == "the API key")
            }
        }
    }

    private let longToken = String(repeating: "A-_9", count: 400)

    @Test("a user under another key, or with an invalid uid or token, is not found")
    func otherKey() {
        let archive = ArchivedUser.archive("ann", key: "Größe_firebase_user")
        #expect(read(archive, key: "Größe_firebase_user")?.uid == "ann")
        #expect(read(archive) == nil)
        #expect(read(ArchivedUser.archive("")) == nil)
        #expect(read(ArchivedUser.archive("ann", refreshToken: "")) == nil)
        #expect(read(ArchivedUser.archive(String(repeating: "u", count: 129))) == nil)
        // The archive's word for a null value, which is not a uid.
        #expect(read(ArchivedUser.archive("$null")) == nil)
    }

    @Test("descriptions show no tokens")
    func descriptions() throws {
        let session = try #require(read(ArchivedUser.archive("ann", refreshToken: "secret", idToken: "secret")))
        var dumped = ""
        dump(session, to: &dumped)
        for text in ["\(session)", String(reflecting: session), dumped] { #expect(!text.contains("secret")) }
    }

    @Test("a truncated archive has no session")
    func truncated() {
        let archive = ArchivedUser.archive("ann")
        for count in 0..<archive.count { #expect(read(archive.prefix(count)) == nil, "\(count) bytes") }
    }

    @Test("a changed byte never causes a crash or an invalid session")
    func changed() {
        let archive = ArchivedUser.archive("ann", key: "k")
        for index in archive.indices {
            for value in [0x00, 0x0F, 0x1F, 0x7F, 0x80, 0xAF, 0xDF, 0xFF, archive[index] &+ 1, archive[index] ^ 0x10] {
                var changed = archive
                changed[index] = value
                if let session = read(changed, key: "k") { #expect(session.uid.utf8.count <= 128) }
            }
        }
    }

    @Test("random bytes between the header and the end contain no session")
    func random() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            var data = Data("bplist00".utf8)
            let size = Int.random(in: 0..<200)
            data.append(contentsOf: (0..<size).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
            data.append(contentsOf: [0, 0, 0, 0, 0, 0, 1, 1] + bigEndian(size / 2) + bigEndian(0) + bigEndian(8))
            #expect(read(data) == nil)
        }
    }

    @Test("cyclic, deep and huge lists cost no more than their size")
    func hostile() throws {
        // Object 0 is a dictionary with "$top" and "$objects", 1 and 2 are these texts, and 3 is an array of itself.
        let cyclic = list([
            [0xD2, 1, 2, 0, 3], [0x54] + Array("$top".utf8), [0x58] + Array("$objects".utf8), [0xA2, 3, 0],
        ])
        #expect(try #require(BinaryPropertyList(cyclic)).member("$objects", of: 0) == 3)
        #expect(read(cyclic, key: "$top") == nil)
        // A dictionary that claims to have 2^19 members but has none.
        let claimed = list([[0xDF, 0x12, 0x00, 0x08, 0x00, 0x00]])
        #expect(BinaryPropertyList(claimed)?.member("$top", of: 0) == nil)
        // A count of eight bytes that would overflow.
        let overflow = list([[0xAF, 0x13] + [UInt8](repeating: 0xFF, count: 8)])
        #expect(BinaryPropertyList(overflow)?.element(0, of: 0) == nil)
        #expect(BinaryPropertyList(Data(count: BinaryPropertyList.mostBytes + 1)) == nil)
        // More members than are searched.
        let count = 2_000
        let references = [UInt8](repeating: 1, count: 2 * count)
        let members = list([[0xDF, 0x11] + bigEndian(count).suffix(2) + references, [0x51, 0x61]])
        #expect(try #require(BinaryPropertyList(members)).member("a", of: 0) == nil)
    }

    /// Returns a binary property list of objects, of which the first one is the root.
    private func list(_ objects: [[UInt8]]) -> Data {
        var data = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += bigEndian(data.count).suffix(2)
            data += object
        }
        let table = data.count
        data += offsets
        data += [0, 0, 0, 0, 0, 0, 2, 1] + bigEndian(objects.count) + bigEndian(0) + bigEndian(table)
        return Data(data)
    }

    private func bigEndian(_ number: Int) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

/// Index keys in the key file.
@Suite struct KeyFileIndexKeyTests {
    private let clock = SettableEnvironment(seed: 1)
    private let file = TestKeys.file()

    @Test("each added index key gets the next id, and the hashes of the first one stay the same")
    func add() throws {
        let keys = try KeyFile.parse(file)
        #expect(keys.indexKeyIDs == [IndexKeyHash.firstID])
        let second = try KeyFile.addIndexKey(file, clock.environment)
        let third = try KeyFile.addIndexKey(second.text, clock.environment)
        #expect(second.id == 2 && third.id == 3)
        let all = try KeyFile.parse(third.text)
        #expect(all.indexKeyIDs == [1, 2, 3])
        #expect(all.indexKey.hash("phone", .text("x")) == keys.indexKey.hash("phone", .text("x")))
        #expect(all.lookups("network", .text("x")) == keys.lookups("network", .text("x")))
    }

    @Test(
        "running workers load a new index key, keep hashing with the current one, and reject a file without it"
    )
    func adopt() throws {
        let keys = try KeyFile.parse(file)
        let added = try KeyFile.addIndexKey(file, clock.environment).text
        _ = try keys.adopt(KeyFile.parse(added), at: clock.now)
        #expect(keys.indexKeyIDs == [1, 2] && keys.indexKey.id == 1)
        #expect(Set(keys.deploymentMarks.indexKeys.keys) == [1, 2])
        let moved = try #require(keys.hashing(under: 2))
        #expect(moved.indexKey.id == 2 && keys.indexKey.id == 1)
        #expect(keys.hashing(under: 3) == nil)
        let missing = KeyFileError(description: "indexKeys: the key in force is missing")
        #expect(throws: missing) { try keys.adopt(KeyFile.parse(file), at: clock.now) }
        #expect(keys.indexKeyIDs == [1, 2])
        let other = try KeyFile.addIndexKey(file, SettableEnvironment(seed: 9).environment).text
        #expect(throws: KeyFileError(description: "serverKey, indexKeys: these keys are another deployment's")) {
            try keys.adopt(KeyFile.parse(other), at: clock.now)
        }
    }

    @Test(
        "a malformed list of index keys is rejected with the name of its field",
        arguments: [
            (#""id":2"#, #""id":0"#, "indexKeys[1].id: expected a number from 1 to 255"),
            (#""id":2"#, #""id":256"#, "indexKeys[1].id: expected a number from 1 to 255"),
            (
                #""indexKeys":[{"id":1,"key":""#, #""indexKeys":[{"id":1,"key":"AA"#,
                "indexKeys[0].key: expected 32 bytes in base64url"
            ),
            (#""indexKeys":[{"id":1"#, #""indexKeys":[{"id":2"#, "indexKeys: an id is repeated"),
        ]
    )
    func malformed(text: String, other: String, description: String) throws {
        let added = String(decoding: try KeyFile.addIndexKey(file, clock.environment).text, as: UTF8.self)
        let changed = added.split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
        #expect(changed != added)
        #expect(throws: KeyFileError(description: description)) { try KeyFile.parse(Array(changed.utf8)) }
    }

    @Test("a hash contains the id of its key")
    func hashes() {
        #expect(IndexKeyHash.text("abc-_", under: 1) == "abc-_")
        #expect(IndexKeyHash.text("abc-_", under: 12) == "12.abc-_")
        #expect(IndexKeyHash.id(of: "abc-_") == 1)
        #expect(IndexKeyHash.id(of: "12.abc-_") == 12)
    }
}

import Cryptography
import Testing

@testable import PhoneAuth

@Suite struct DataKeysTests {
    private let environment = SettableEnvironment(seed: 9)
    private let plaintext = Array("+16505550101".utf8)
    private let context = SealingContext("account", of: "demo-app/uid")

    private func cipher(_ fill: UInt8) throws -> AES256GCM {
        try #require(AES256GCM(key: [UInt8](repeating: fill, count: 32)))
    }

    /// Returns keys with these ids, in this order.
    private func dataKeys(_ ids: UInt8...) throws -> DataKeys {
        let keys = DataKeys(try ids.map { ($0, try cipher($0)) })
        return try #require(keys)
    }

    private func seal(_ keys: DataKeys) throws -> [UInt8] {
        try keys.seal(plaintext, context: context, environment.environment)
    }

    @Test("values sealed before a rotation can be opened after it, and the last key seals")
    func rotation() throws {
        let old = try dataKeys(1)
        let both = try dataKeys(1, 2)
        let new = try dataKeys(2)
        let before = try seal(old)
        let after = try seal(both)
        #expect(before.first == 1)
        #expect(after.first == 2)
        #expect(both.open(before, context: context) == plaintext)
        #expect(both.open(after, context: context) == plaintext)
        #expect(new.open(after, context: context) == plaintext)
        #expect(new.open(before, context: context) == nil)
        #expect(old.open(after, context: context) == nil)
    }

    @Test("the last key of the list seals, whatever its id")
    func order() throws {
        let keys = try dataKeys(7, 3)
        #expect(try seal(keys).first == 3)
    }

    @Test("an empty list, or two keys with one id, is rejected")
    func malformed() throws {
        #expect(DataKeys([]) == nil)
        #expect(DataKeys([(1, try cipher(1)), (1, try cipher(2))]) == nil)
    }

    @Test("a sealed value can be opened only in its own context")
    func contexts() throws {
        let keys = try dataKeys(1)
        let sealed = try seal(keys)
        #expect(keys.open(sealed, context: context) == plaintext)
        for (use, owner) in [("account", ""), ("account", "demo-app/uiD"), ("session", "demo-app/uid")] {
            #expect(keys.open(sealed, context: SealingContext(use, of: owner)) == nil)
        }
        for header in [[], [1, 2]] as [[UInt8]] {
            #expect(keys.open(sealed, context: SealingContext("account", after: header, of: "demo-app/uid/")) == nil)
        }
    }

    @Test("a changed, shortened or extended value cannot be opened")
    func alterations() throws {
        let keys = try dataKeys(1)
        let sealed = try seal(keys)
        #expect(sealed.count == 1 + 12 + plaintext.count + 16)
        for bit in 8..<sealed.count * 8 {
            var altered = sealed
            altered[bit / 8] ^= 1 << (bit % 8)
            #expect(keys.open(altered, context: context) == nil, "bit \(bit)")
        }
        for length in 0..<sealed.count { #expect(keys.open(sealed.prefix(length), context: context) == nil) }
        #expect(keys.open(sealed + [0], context: context) == nil)
    }
}

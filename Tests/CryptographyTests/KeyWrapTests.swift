import Cryptography
import TestServers
import Testing

@Suite struct KeyWrapTests {
    /// RFC 3394 § 4.6.
    private static let key = bytes("000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F")
    private static let other = bytes("00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F")
    private static let wrapped = bytes(
        "28C9F404C4B810F4CBCCB35CFB87F8263F5786E2D80ED326CBC7F0E71A99F43BFB988B9B7A02DD21"
    )

    @Test("AES Key Wrap passes the vector of RFC 3394 in both directions")
    func knownAnswer() throws {
        let wrapping = try #require(AES256KeyWrap(key: Self.key))
        #expect(try wrapping.wrap(Self.other) == Self.wrapped)
        #expect(wrapping.unwrap(Self.wrapped) == Self.other)
    }

    @Test("changing any bit of a wrapped key is detected")
    func authenticity() throws {
        let wrapping = try #require(AES256KeyWrap(key: Self.key))
        for index in Self.wrapped.indices {
            var changed = Self.wrapped
            changed[index] ^= 1
            #expect(wrapping.unwrap(changed) == nil)
        }
        var key = Self.key
        key[0] ^= 0x80
        #expect(AES256KeyWrap(key: key)?.unwrap(Self.wrapped) == nil)
        #expect(wrapping.unwrap(Self.wrapped) == Self.other, "a failure leaves nothing behind")
    }

    @Test("keys and texts of another length are rejected")
    func lengths() throws {
        let wrapping = try #require(AES256KeyWrap(key: Self.key))
        for count in [0, 8, 16, 23, 39, 41, 48] {
            #expect(wrapping.unwrap(Array((Self.wrapped + Self.wrapped).prefix(count))) == nil)
        }
        for count in [0, 8, 15, 17] {
            #expect(throws: CryptographyFailure.self) { try wrapping.wrap([UInt8](repeating: 1, count: count)) }
        }
        for count in [0, 16, 31, 33] { #expect(AES256KeyWrap(key: [UInt8](repeating: 1, count: count)) == nil) }
        #expect("\(wrapping)" == "AES256KeyWrap(…)")
    }
}

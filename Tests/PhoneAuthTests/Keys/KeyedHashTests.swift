import Cryptography
import Testing

@testable import PhoneAuth

@Suite struct KeyedHashTests {
    private static let key = [UInt8](repeating: 7, count: 32)

    @Test("a hash is HMAC-SHA-256 of the use and of each part after its length in five bytes")
    func message() {
        let long = String(repeating: "x", count: 300)
        let message =
            Array("use".utf8) + [0, 0, 0, 0, 2] + Array("ab".utf8) + [0, 0, 0, 1, 44] + Array(long.utf8)
            + [0, 0, 0, 0, 3, 1, 0, 255] + [0, 0, 0, 0, 0]
        #expect(
            KeyedHash(key: Self.key)("use", .text("ab"), .text(long), .bytes([1, 0, 255]), .text(""))
                == HMAC.authenticationCode(.sha256, for: message, key: Self.key)
        )
    }

    @Test("parts that are divided differently have different hashes")
    func division() {
        let hash = KeyedHash(key: Self.key)
        #expect(hash("use", .text("ab"), .text("c")) != hash("use", .text("a"), .text("bc")))
    }
}

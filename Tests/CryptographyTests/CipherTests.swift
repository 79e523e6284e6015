import Cryptography
import TestServers
import Testing

@Suite struct CipherTests {
    private static let key = bytes("feffe9928665731c6d6a8f9467308308 feffe9928665731c6d6a8f9467308308")
    private static let nonce = bytes("cafebabefacedbaddecaf888")
    private static let context = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    private static let plaintext = bytes(
        """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657\
        ba637b39
        """
    )
    private static let sealed = bytes(
        """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0a\
        bcc9f662 76fc6ece0f4e1768cddf8853bb2d551b
        """
    )

    @Test("AES-256-GCM passes test case 16 of NIST's vectors in both directions")
    func knownAnswer() throws {
        let cipher = try #require(AES256GCM(key: Self.key))
        let sealed = try cipher.seal(Self.plaintext, nonce: Self.nonce, authenticating: Self.context)
        #expect(sealed == Self.sealed)
        #expect(cipher.open(sealed, nonce: Self.nonce, authenticating: Self.context) == Self.plaintext)
    }

    @Test("changing any bit of ciphertext, tag, nonce or context is detected")
    func authenticity() throws {
        let cipher = try #require(AES256GCM(key: Self.key))
        for index in Self.sealed.indices {
            var changed = Self.sealed
            changed[index] ^= 1
            #expect(cipher.open(changed, nonce: Self.nonce, authenticating: Self.context) == nil)
        }
        var nonce = Self.nonce
        nonce[0] ^= 0x80
        #expect(cipher.open(Self.sealed, nonce: nonce, authenticating: Self.context) == nil)
        #expect(cipher.open(Self.sealed, nonce: Self.nonce, authenticating: Self.context + [0]) == nil)
        #expect(cipher.open(Self.sealed, nonce: Self.nonce, authenticating: []) == nil)
        #expect(cipher.open(Array(Self.sealed.dropLast()), nonce: Self.nonce, authenticating: Self.context) == nil)
        #expect(cipher.open([], nonce: Self.nonce, authenticating: Self.context) == nil)
        // A failed call does not affect the next one.
        #expect(cipher.open(Self.sealed, nonce: Self.nonce, authenticating: Self.context) == Self.plaintext)
    }

    @Test("an empty plaintext and an empty context can be sealed")
    func empty() throws {
        let cipher = try #require(AES256GCM(key: [UInt8](repeating: 0, count: 32)))
        let nonce = [UInt8](repeating: 0, count: 12)
        let sealed = try cipher.seal([], nonce: nonce, authenticating: [])
        #expect(sealed == bytes("530f8afbc74536b9a963b4f1c4cb738b"))
        #expect(cipher.open(sealed, nonce: nonce, authenticating: []) == [])
        #expect(cipher.open(sealed, nonce: nonce, authenticating: [0]) == nil)
    }

    @Test("keys and nonces of other lengths are rejected")
    func lengths() throws {
        #expect(AES256GCM(key: [UInt8](repeating: 0, count: 16)) == nil)
        let cipher = try #require(AES256GCM(key: Self.key))
        #expect(throws: CryptographyFailure.self) { try cipher.seal([1], nonce: [1], authenticating: []) }
        #expect(cipher.open(Self.sealed, nonce: Self.nonce + [0], authenticating: Self.context) == nil)
        #expect(throws: CryptographyFailure.self) { try AES256CTR.encrypt([1], key: [1]) }
    }

    @Test("many threads can seal and open with one key")
    func threads() throws {
        let cipher = try #require(AES256GCM(key: Self.key))
        let isRight = try inParallel(24) { number in
            try (0..<100).allSatisfy { count in
                let plaintext = [UInt8](repeating: UInt8(number), count: count)
                let nonce = [UInt8](repeating: UInt8(number), count: 11) + [UInt8(count)]
                let sealed = try cipher.seal(plaintext, nonce: nonce, authenticating: [UInt8(count)])
                return cipher.open(sealed, nonce: nonce, authenticating: [UInt8(count)]) == plaintext
            }
        }
        #expect(isRight.allSatisfy { $0 })
    }

    @Test("AES-256 in counter mode counts from zero")
    func counterMode() throws {
        // The second block is the encryption of the number 1, which masks the tag in GCM's test case 13.
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(
            try AES256CTR.encrypt(zeros, key: zeros)
                == bytes("dc95c078a2408989ad48a21492842087 530f8afbc74536b9a963b4f1c4cb738b")
        )
    }

    @Test("scrypt passes the vectors of RFC 7914")
    func scrypt() throws {
        #expect(
            try Scrypt.deriveKey(password: [], salt: [], cost: 16, blockSize: 1, parallelism: 1, byteCount: 64)
                == bytes(
                    """
                    77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d\
                    3628cf35e20c38d18906
                    """
                )
        )
        let key = try Scrypt.deriveKey(
            password: Array("password".utf8),
            salt: Array("NaCl".utf8),
            cost: 1024,
            blockSize: 8,
            parallelism: 16,
            byteCount: 64
        )
        #expect(
            key
                == bytes(
                    """
                    fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83\
                    ee6d8360cbdfa2cc0640
                    """
                )
        )
    }

    @Test("scrypt supports its largest valid parameters and rejects a cost that is not a power of two")
    func scryptLimits() throws {
        let key = try Scrypt.deriveKey(
            password: [1],
            salt: [2],
            cost: 1 << 16,
            blockSize: 16,
            parallelism: 1,
            byteCount: 32
        )
        #expect(key.count == 32)
        #expect(throws: CryptographyFailure.self) {
            try Scrypt.deriveKey(password: [1], salt: [2], cost: 15, blockSize: 8, parallelism: 1, byteCount: 32)
        }
    }
}

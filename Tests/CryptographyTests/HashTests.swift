import Cryptography
import TestServers
import Testing

@Suite struct HashTests {
    @Test("SHA-256 passes the vectors of FIPS 180-4")
    func sha256() {
        #expect(
            SHA256.hash(Array("abc".utf8)) == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        )
        #expect(SHA256.hash([]) == bytes("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
    }

    @Test("HMAC-SHA-256 passes the vectors of RFC 4231, even for keys longer than a block")
    func hmacSHA256() {
        let jefe = HMAC(.sha256, key: Array("Jefe".utf8))
        #expect(
            jefe.authenticationCode(for: Array("what do ya want for nothing?".utf8))
                == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        )
        let long = HMAC(.sha256, key: [UInt8](repeating: 0xAA, count: 131))
        #expect(
            long.authenticationCode(for: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8))
                == bytes("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        )
    }

    @Test("HMAC-SHA-1 passes the vectors of RFC 2202")
    func hmacSHA1() {
        let code = HMAC(.sha1, key: Array("Jefe".utf8)).authenticationCode(
            for: Array("what do ya want for nothing?".utf8)
        )
        #expect(code == bytes("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"))
    }

    @Test("an empty key is valid")
    func emptyKey() {
        let code = bytes("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
        #expect(HMAC(.sha256, key: []).authenticationCode(for: []) == code)
        #expect(HMAC.authenticationCode(.sha256, for: [], key: []) == code)
    }

    @Test("an authentication code is valid only for its message and key")
    func validity() {
        let hmac = HMAC(.sha256, key: [1, 2, 3])
        let code = hmac.authenticationCode(for: [4, 5])
        #expect(hmac.isValidAuthenticationCode(code, for: [4, 5]))
        #expect(!hmac.isValidAuthenticationCode(code, for: [4, 6]))
        #expect(!hmac.isValidAuthenticationCode(Array(code.dropLast()), for: [4, 5]))
        #expect(!hmac.isValidAuthenticationCode([], for: [4, 5]))
        #expect(!HMAC(.sha256, key: [1, 2, 4]).isValidAuthenticationCode(code, for: [4, 5]))
    }

    @Test("a single-use key and a stored key give equal codes", arguments: [0, 1, 20, 64, 65, 131])
    func oneUse(keyByteCount: Int) {
        let key = (0..<keyByteCount).map { UInt8($0) }
        let message = Array("what do ya want for nothing?".utf8)
        for hash in [HMAC.Hash.sha1, .sha256] {
            let code = HMAC(hash, key: key).authenticationCode(for: message)
            #expect(HMAC.authenticationCode(hash, for: message, key: key) == code)
            #expect(HMAC.isValidAuthenticationCode(code, hash, for: message, key: key))
            #expect(!HMAC.isValidAuthenticationCode(code, hash, for: message + [0], key: key))
            #expect(!HMAC.isValidAuthenticationCode(code, hash, for: message, key: key + [1]))
            #expect(!HMAC.isValidAuthenticationCode(Array(code.dropLast()), hash, for: message, key: key))
        }
    }

    @Test("more threads than pooled contexts get the same codes as one thread")
    func threads() throws {
        let hmac = HMAC(.sha256, key: Array("shared".utf8))
        let expected = (0..<200).map { hmac.authenticationCode(for: [UInt8($0)]) + SHA256.hash([UInt8($0)]) }
        let computed = try inParallel(40) { _ in
            (0..<200).map { hmac.authenticationCode(for: [UInt8($0)]) + SHA256.hash([UInt8($0)]) }
        }
        for each in computed { #expect(each == expected) }
    }
}

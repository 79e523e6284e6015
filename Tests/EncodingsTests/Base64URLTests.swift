import Encodings
import TestServers
import Testing

@Suite struct Base64URLTests {
    /// RFC 4648 § 10 without padding, and bytes that need the two special characters of the URL-safe alphabet.
    static let vectors: [(bytes: [UInt8], text: String)] = [
        ([], ""),
        (Array("f".utf8), "Zg"),
        (Array("fo".utf8), "Zm8"),
        (Array("foo".utf8), "Zm9v"),
        (Array("foob".utf8), "Zm9vYg"),
        (Array("fooba".utf8), "Zm9vYmE"),
        (Array("foobar".utf8), "Zm9vYmFy"),
        ([0xFB, 0xEF, 0xBE], "----"),
        ([0xFF, 0xFF, 0xFF], "____"),
        ([0x14, 0xFB, 0x9C, 0x03, 0xD9, 0x7E], "FPucA9l-"),
        ([0x00], "AA"),
        ([0x00, 0x00], "AAA"),
    ]

    @Test("the vectors of RFC 4648 pass in both directions", arguments: vectors)
    func knownVectors(bytes: [UInt8], text: String) {
        #expect(Base64URL.string(bytes) == text)
        #expect(Base64URL.encode(bytes) == Array(text.utf8))
        #expect(Base64URL.decode(text.utf8) == bytes)
    }

    @Test(
        "only the canonical encoding is accepted",
        arguments: [
            "A", "AAAAA", "Zg==", "Zg=", "=", "Zm8=", "Zh", "Zk", "Zm9", "Zm_", "Zn+v", "Zm/v", " Zg", "Zg ", "Zg\n",
            "Z g", "Zm9v\0", "Zm9vé", "Zm.v", "Zm9v====", "AB", "AAB",
        ]
    )
    func spelling(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }

    @Test("every text of two or three characters is rejected or round-trips unchanged")
    func noTwins() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var taken = 0
        for first in alphabet {
            for second in alphabet {
                for text in [[first, second], [UInt8(ascii: "x"), first, second]] {
                    guard let bytes = Base64URL.decode(text) else { continue }
                    taken += 1
                    #expect(Base64URL.encode(bytes) == text)
                }
            }
        }
        // Two characters encode one byte. Three characters encode two bytes, of which six bits are fixed here.
        #expect(taken == 256 + 1024)
    }

    @Test("random bytes of every length up to 200 round-trip")
    func roundTrip() {
        var generator = SplitMix(seed: 4648)
        for length in 0...200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let text = Base64URL.encode(bytes)
            #expect(text.count == (length * 4 + 2) / 3)
            #expect(Base64URL.decode(text) == bytes)
            #expect(Base64URL.decode(Base64URL.string(bytes).utf8) == bytes)
        }
    }
}

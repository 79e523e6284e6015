import Encodings
import TestServers
import Testing

@Suite struct Base32Tests {
    /// RFC 4648 § 10, with padding.
    static let vectors: [(bytes: [UInt8], padded: String)] = [
        ([], ""), (Array("f".utf8), "MY======"), (Array("fo".utf8), "MZXQ===="), (Array("foo".utf8), "MZXW6==="),
        (Array("foob".utf8), "MZXW6YQ="), (Array("fooba".utf8), "MZXW6YTB"), (Array("foobar".utf8), "MZXW6YTBOI======"),
    ]

    @Test("the vectors of RFC 4648 pass in both directions, with and without padding", arguments: vectors)
    func knownVectors(bytes: [UInt8], padded: String) {
        let text = padded.replacing("=", with: "")
        #expect(Base32.encode(bytes) == text)
        for spelling in [padded, text, text.lowercased()] { #expect(Base32.decode(spelling) == bytes) }
    }

    @Test("invalid Base32 is rejected", arguments: ["0", "1", "8", "M", "MZX", "MZ!Q", "M=YQ", "MZ", "MZXW6YR", "é"])
    func refused(text: String) {
        #expect(Base32.decode(text) == nil)
    }

    @Test("random bytes round-trip")
    func roundTrip() {
        var random = SplitMix(seed: 32)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            #expect(Base32.decode(Base32.encode(bytes)) == bytes)
        }
    }
}

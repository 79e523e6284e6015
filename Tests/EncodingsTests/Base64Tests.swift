import Testing

@testable import Encodings

@Suite struct Base64Tests {
    static let texts: [(text: String, bytes: [UInt8]?)] = [
        ("", []), ("AA==", [0]), ("AA", [0]), ("AAA=", [0, 0]), ("++//", [0xFB, 0xEF, 0xFF]),
        ("--__", [0xFB, 0xEF, 0xFF]), ("+-/_", [0xFB, 0xEF, 0xFF]), ("A", nil), ("AB==", nil), ("A A=", nil),
        ("AA=A", nil),
    ]

    @Test("both alphabets are read, with and without padding", arguments: texts)
    func decode(text: String, bytes: [UInt8]?) {
        #expect(Base64.decode(eitherAlphabet: text.utf8) == bytes)
    }

    static let paddedTexts: [(text: String, bytes: [UInt8]?)] = [
        ("", []), ("AA==", [0]), ("AAA=", [0, 0]), ("++//", [0xFB, 0xEF, 0xFF]), ("AAAAAA==", [0, 0, 0, 0]),
        ("AA", nil), ("AAA", nil), ("--__", nil), ("AB==", nil), ("A===", nil), ("====", nil), ("AA=A", nil),
        ("AAAA====", nil), ("AAAAA===", nil), ("AA==\n", nil), ("AA==AA==", nil),
    ]

    @Test("with padding required, only the canonical encoding is read", arguments: paddedTexts)
    func decodePadded(text: String, bytes: [UInt8]?) {
        #expect(Base64.decode(padded: text.utf8) == bytes)
    }
}

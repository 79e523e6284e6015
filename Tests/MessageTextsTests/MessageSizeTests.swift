import Testing

@testable import MessageTexts

@Suite struct MessageSizeTests {
    @Test(
        "GSM 7 bit: one segment holds 160 septets, each part of a longer message 153",
        arguments: [(0, 1), (1, 1), (160, 1), (161, 2), (306, 2), (307, 3), (459, 3), (460, 4)]
    )
    func septets(units: Int, segments: Int) {
        let size = MessageSize(of: String(repeating: "a", count: units))
        #expect(size.encoding == .gsm7)
        #expect(size.units == units)
        #expect(size.segments == segments)
    }

    @Test(
        "UCS-2: one segment holds 70 units, each part of a longer message 67",
        arguments: [(1, 1), (70, 1), (71, 2), (134, 2), (135, 3), (201, 3), (202, 4)]
    )
    func codeUnits(units: Int, segments: Int) {
        let size = MessageSize(of: String(repeating: "ж", count: units))
        #expect(size.encoding == .ucs2)
        #expect(size.units == units)
        #expect(size.segments == segments)
    }

    @Test(
        "a character of the extension table counts as two septets",
        arguments: ["^", "{", "}", "\\", "[", "~", "]", "|", "€", "\u{0C}"]
    )
    func extended(character: String) {
        #expect(MessageSize(of: character).encoding == .gsm7)
        #expect(MessageSize(of: character).units == 2)
        #expect(MessageSize(of: String(repeating: character, count: 80)).segments == 1)
        #expect(MessageSize(of: String(repeating: character, count: 80) + "a").segments == 2)
    }

    @Test("an escape sequence is not split: a part with one septet left stays shorter")
    func escapeAtTheEndOfAPart() {
        let filler = String(repeating: "a", count: 152)
        #expect(MessageSize(of: filler + "€" + filler).segments == 3)
        #expect(MessageSize(of: filler + "€" + filler.dropLast(1)).segments == 2)
        #expect(MessageSize(of: filler + "a" + filler + "a").segments == 2)
    }

    @Test("a surrogate pair is not split: a part with one unit left stays shorter")
    func surrogatesAtTheEndOfAPart() {
        let filler = String(repeating: "ж", count: 66)
        #expect(MessageSize(of: filler + "😀" + filler).segments == 3)
        #expect(MessageSize(of: filler + "😀" + filler.dropLast(1)).segments == 2)
        #expect(MessageSize(of: String(repeating: "😀", count: 35)).segments == 1)
        #expect(MessageSize(of: String(repeating: "😀", count: 35)).units == 70)
        #expect(MessageSize(of: String(repeating: "😀", count: 36)).segments == 2)
        #expect(MessageSize(of: String(repeating: "😀", count: 67)).segments == 3)
    }

    @Test(
        "one character outside the GSM alphabet makes the whole text UCS-2",
        arguments: ["ç", "á", "ê", "í", "ó", "ú", "ã", "õ", "č", "ş", "’", "—", "`", "e\u{301}", "\u{2068}", "\t"]
    )
    func outside(character: String) {
        #expect(MessageSize(of: "a" + character).encoding == .ucs2)
    }

    @Test(
        "the GSM alphabet has 127 characters and the escape, with Ç but not ç"
    )
    func alphabet() {
        let all = (UInt32(0)...0xFFFF).compactMap(Unicode.Scalar.init)
        #expect(all.count { GSMAlphabet.septets(of: $0) == 1 } == 127)
        #expect(all.count { GSMAlphabet.septets(of: $0) == 2 } == 10)
        #expect(MessageSize(of: "àäåæèéìñòöøùüÄÅÆÇÉÑÖØÜß¿¡ΔΦΓΛΩΠΨΣΘΞ\r\n").encoding == .gsm7)
    }
}

import Encodings
import Testing

@Suite struct HexadecimalTests {
    @Test("bytes are written as two lowercase digits each, and read in either case")
    func roundTrip() {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = Hexadecimal.encode(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && text.utf8.count == 512)
        #expect(Hexadecimal.decode(text) == bytes)
        #expect(Hexadecimal.decode(text.uppercased()) == bytes)
        #expect(Hexadecimal.encode([]) == "" && Hexadecimal.decode("") == [])
    }

    @Test(
        "invalid digits are rejected",
        arguments: ["0", "000", "0g", "g0", " 00", "0x00", "00\n", "٠٠", "ａａ", "0\u{308}0"]
    )
    func refused(text: String) {
        #expect(Hexadecimal.decode(text) == nil)
    }
}

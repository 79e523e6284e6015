import Encodings
import Testing

@Suite struct ASCIITests {
    @Test("only ASCII digits and letters count")
    func bytes() {
        func all(_ isMember: (UInt8) -> Bool) -> String {
            String(decoding: (UInt8.min...UInt8.max).filter(isMember), as: UTF8.self)
        }
        let lowercase = "abcdefghijklmnopqrstuvwxyz"
        #expect(all(\.isASCIIDigit) == "0123456789")
        #expect(all(\.isASCIILowercaseLetter) == lowercase)
        #expect(all(\.isASCIILetter) == lowercase.uppercased() + lowercase)
        #expect(all { $0.hexDigitValue != nil } == "0123456789ABCDEFabcdef")
    }

    @Test(
        "a number consists only of digits",
        arguments: [
            ("0", true), ("0123456789", true), ("", false), ("+1", false), ("1 ", false), ("1a", false), ("١", false),
            ("1\u{308}", false),
        ]
    )
    func digits(text: String, isNumber: Bool) {
        #expect(text.isASCIIDigits == isNumber)
    }

    @Test(
        "no text with another character is ASCII, even if Swift considers it equal to an ASCII text",
        arguments: [
            ("", true), ("K\0\u{7F}", true), ("\u{212A}", false), ("é", false), ("e\u{301}", false), ("\u{37E}", false),
        ]
    )
    func ascii(text: String, isASCII: Bool) {
        #expect(text.isASCII == isASCII)
    }
}

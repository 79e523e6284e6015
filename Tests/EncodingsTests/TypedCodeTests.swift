import Encodings
import Testing

@Suite struct TypedCodeTests {
    @Test(
        "a code is read whatever script and separators it is typed with",
        arguments: [
            "123456", "123 456", " 123456\n", "123-456", "١٢٣٤٥٦", "۱۲۳۴۵۶", "१२३४५६", "１２３４５６", "１２３－４５６",
            "\u{200F}123456\u{200F}", "\u{2066}123\u{A0}456\u{2069}", "1\u{200B}2\u{FEFF}3\u{2011}4\u{2212}5\u{3000}6",
            "१२3４5٦",
        ]
    )
    func digits(typed: String) {
        #expect(typed.readAsCode() == "123456")
    }

    @Test("letters and other characters are kept, full-width letters in ASCII")
    func letters() {
        #expect("Ａbc-ｄ१".readAsCode() == "Abcd1")
        #expect("12345é".readAsCode() == "12345é")
        #expect("1,2.3".readAsCode() == "1,2.3")
        #expect("①²½".readAsCode() == "①²½")
        #expect("".readAsCode()?.isEmpty == true)
    }

    @Test("a text that is longer than any code is rejected")
    func length() {
        #expect(String(repeating: "1", count: 128).readAsCode() != nil)
        #expect((String(repeating: " ", count: 123) + "123456").readAsCode() == nil)
    }

    @Test("a decimal digit of any script has its value, and no other character has one")
    func decimalDigits() {
        for value in UInt8(0)...9 {
            for zero: UInt32 in [0x30, 0x660, 0x6F0, 0x966, 0xFF10] {
                #expect(Unicode.Scalar(zero + UInt32(value))?.decimalDigit == value)
            }
        }
        for scalar: Unicode.Scalar in ["a", "/", ":", "²", "①", "一", "½"] { #expect(scalar.decimalDigit == nil) }
    }
}

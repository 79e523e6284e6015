import Encodings
import Testing

@Suite struct WholeNumberTests {
    @Test(
        "a whole number may have a fraction of zeros and an exponent",
        arguments: [
            ("0", 0), ("-0", 0), ("300", 300), ("300.0", 300), ("1.484124177E12", 1_484_124_177_000), ("3e+2", 300),
            ("-12.50e1", -125), ("1200e-2", 12), ("0.000E-999999999999999999999", 0), ("0e999999999999999999999", 0),
            ("007", 7), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("-0.9223372036854775808E19", .min), ("1e18", 1_000_000_000_000_000_000),
        ] as [(String, Int64)]
    )
    func whole(text: String, number: Int64) {
        #expect(Int64(wholeNumber: text) == number)
    }

    @Test(
        "anything but a whole number that fits is rejected",
        arguments: [
            "", "-", "+1", ".5", "1.", "1.5", "12e-1", "1e", "1e+", "1 ", " 1", "1e1.0", "0x10", "NaN", "Infinity", "١",
            "9223372036854775808", "-9223372036854775809", "1e19", "1e999999999999999999999", "1_000",
        ]
    )
    func other(text: String) {
        #expect(Int64(wholeNumber: text) == nil)
    }

    @Test("every number reads back from its decimal form, and from a form with an exponent")
    func random() {
        for _ in 0..<1000 {
            let number = Int64.random(in: .min ... .max) >> Int64.random(in: 0..<64)
            let digits = String(number.magnitude)
            let sign = number < 0 ? "-" : ""
            let scientific = "\(sign)\(digits.prefix(1)).\(digits.dropFirst())0E\(digits.count - 1)"
            #expect(Int64(wholeNumber: String(number)) == number)
            #expect(Int64(wholeNumber: scientific) == number, "\(scientific)")
        }
    }
}

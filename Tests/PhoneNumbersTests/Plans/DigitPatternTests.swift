import Testing

@testable import PhoneNumbers

@Suite struct DigitPatternTests {
    private func digits(_ text: String) -> [UInt8] { text.utf8.map { $0 - 0x30 } }

    @Test(
        "a pattern matches whole numbers",
        arguments: [
            ("12", ["12"], ["1", "123", "21"]), ("[2-57]\\d{3}", ["2000", "7999"], ["6000", "200", "20000"]),
            ("1(?:2|34)?5", ["15", "125", "1345"], ["135", "1255"]),
            ("\\d{2,4}0", ["120", "12340"], ["10", "123450"]),
            ("(?:1|12)(?:23|3)4", ["1234", "134", "12234"], ["124"]), ("(?:12){2}|3", ["1212", "3"], ["12", "12123"]),
            ("(?:12){1,2}1", ["121", "12121"], ["1212"]), ("([2-9]\\d)$|1", ["20", "1"], ["201", "11"]),
            ("", [""], ["1"]),
        ]
    )
    func whole(pattern: String, matching: [String], others: [String]) throws {
        let compiled = try DigitPattern(pattern)
        for text in matching { #expect(compiled.matches(digits(text)), "\(text)") }
        for text in others { #expect(!compiled.matches(digits(text)), "\(text)") }
    }

    @Test("the beginning of a number is matched as far as the first alternative that fits, with its groups")
    func beginning() throws {
        let carrier = try #require(try DigitPattern("0(1[245]|2)?").beginning(of: digits("01234")))
        #expect(carrier.end == 3)
        #expect(carrier.groups == [1..<3])
        let none = try #require(try DigitPattern("0(1[245]|2)?").beginning(of: digits("0934")))
        #expect(none.end == 1)
        #expect(none.groups == [nil])
        #expect(try DigitPattern("0(\\d)").beginning(of: digits("1")) == nil)
    }

    @Test("a number that is not complete can match")
    func unfinished() throws {
        let pattern = try DigitPattern("7(?:[45]\\d{2}|62)")
        for text in ["", "7", "74", "745", "7451", "74512"] { #expect(pattern.matches(digits(text), .unfinished)) }
        for text in ["8", "73", "763"] { #expect(!pattern.matches(digits(text), .unfinished)) }
    }

    @Test(
        "syntax that is not supported is refused, not ignored",
        arguments: [
            "(", ")", "1)", "[1", "[5-2]", "(?=1)", "(?!1)", "1*", "1+", "\\w", "1{3", "1{3,2}", "1{40}", "a", "^1",
            "1.2",
        ]
    )
    func unsupported(pattern: String) {
        #expect(throws: NumberingDataError.pattern(pattern)) { try DigitPattern(pattern) }
    }
}

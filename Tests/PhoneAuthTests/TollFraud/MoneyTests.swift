import PhoneAuth
import Testing

@Suite struct MoneyTests {
    @Test(
        "amounts are read to a millionth and shown with at least two decimals",
        arguments: [
            ("0", 0, "0.00"), ("1", 1_000_000, "1.00"), ("0.0079", 7900, "0.0079"), ("12.5", 12_500_000, "12.50"),
            ("0.000001", 1, "0.000001"), ("999999999.999999", 999_999_999_999_999, "999999999.999999"),
        ] as [(String, Int64, String)]
    )
    func text(text: String, micros: Int64, shown: String) throws {
        let money = try #require(Money(text))
        #expect(money.micros == micros)
        #expect("\(money)" == shown)
    }

    @Test(
        "an invalid amount is rejected",
        arguments: ["", ".", "1.", ".5", "-1", "+1", "1,5", "1e3", "1.0000001", "1000000000", "1.5.", "١", " 1"]
    )
    func malformed(text: String) {
        #expect(Money(text) == nil)
    }

    @Test("a negative amount, for example after a refund, is shown as negative")
    func negative() {
        #expect("\(Money(micros: -7900))" == "-0.0079")
    }
}

import PhoneNumbers
import Testing

@Suite struct NumberTableTests {
    @Test(
        "the longest prefix wins, then the region, then the default",
        arguments: [
            ("+18765550123", "JM", 5), ("+18761550123", "JM", 1), ("+16505550123", "US", 3), ("+16585550123", "JM", 3),
            ("+442079460123", "JM", 2), ("+80012345678", "001", 4), ("+442079460123", "GB", 6),
            ("+442079460123", nil, 6), ("+", "ZZ", 6), ("", nil, 6),
        ] as [(String, String?, Int)]
    )
    func value(phoneNumber: String, region: String?, expected: Int) throws {
        let table = try Self.table("+1876=1; JM = 2\n+1=3;+18765=5;001=4\n *=6 ;")
        #expect(table.value(for: phoneNumber, region: region) == expected)
        #expect(table.values.sorted() == [1, 2, 3, 4, 5, 6])
    }

    @Test(
        "an invalid table is rejected with its first fault",
        arguments: [
            ("", .noFallback), (";;\n", .noFallback), ("JM=1", .noFallback), ("*", .malformedRow("*")),
            ("*=1;JM", .malformedRow("JM")), ("*=x", .value(.notANumber("x"))), ("*=", .value(.notANumber(""))),
            ("Jm=1", .malformedKey("Jm")), ("JAM=1", .malformedKey("JAM")), ("=1", .malformedKey("")),
            ("+=1", .malformedKey("+")), ("+1x=1", .malformedKey("+1x")), ("+0=1", .malformedKey("+0")),
            ("1876=1", .malformedKey("1876")), ("+١=1", .malformedKey("+١")),
            ("+1234567890123456=1", .malformedKey("+1234567890123456")), ("*=1;* =2", .repeatedKey("*")),
            ("+1=1;*=2;+1=2", .repeatedKey("+1")),
        ] as [(String, NumberTableError<Fault>)]
    )
    func errors(text: String, expected: NumberTableError<Fault>) {
        #expect(throws: expected) { try Self.table(text) }
        #expect(!expected.description.isEmpty)
    }

    enum Fault: Error, Equatable {
        case notANumber(String)
    }

    private static func table(_ text: String) throws -> NumberTable<Int> {
        try NumberTable(parsing: text) { text, _ throws(Fault) in
            guard let number = Int(text) else { throw .notANumber(String(text)) }
            return number
        }
    }
}

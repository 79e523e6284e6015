import PhoneNumbers
import Testing

@Suite struct RefusalTests {
    let phoneNumbers = PhoneNumbers()

    @Test(
        "a text that is not an international number is malformed",
        arguments: [
            "", " ", "+", "+ ", "+-()", "invalid", "5", "6505550100", "16505550100", "0016505550100",
            "(+1) 650 555 0100",
            "++16505550100", "+1+6505550100", "+1650555O100", "+1650FLOWERS", "+1 650 555 0100 x12",
            "+1 650 555 0100 ext. 12", "+1 650 555 0100;ext=12", "+1 650 555 0100,12", "+1 650 555 0100 ~12",
            "+1 650 555 0100#", "+1 650*555 0100", "tel:+16505550100", "tel:650-555-0100;phone-context=+1",
            "+16505550100 +16505550101", "+16505550100\n6", "+1650555\u{0}0100", "+1650555😀0100", "+1650555½0100",
        ]
    )
    func malformed(text: String) {
        #expect(throws: PhoneNumberError.malformed) { try phoneNumbers.parse(text) }
    }

    @Test(
        "a number with an impossible length or calling code is rejected by name",
        arguments: [
            ("+1", PhoneNumberError.malformed), ("+16", .malformed), ("+165", .tooShort), ("+1650", .tooShort),
            ("+16505550", .tooShort), ("+5550100", .tooShort), ("+165055501001", .tooLong),
            ("+16505550100165055501001650", .tooLong), ("+2101234567890", .unknownCallingCode),
            ("+0016505550100", .unknownCallingCode), ("+4915123456789012", .tooLong),
        ]
    )
    func impossible(text: String, reason: PhoneNumberError) {
        #expect(throws: reason) { try phoneNumbers.parse(text) }
    }

    @Test("a text of 64 bytes is parsed, one of 65 is not")
    func longTexts() throws {
        let number = "+16505550100"
        let padding = String(repeating: " ", count: 64 - number.utf8.count)
        #expect(try phoneNumbers.parse(padding + number).text == number)
        #expect(throws: PhoneNumberError.malformed) { try phoneNumbers.parse(padding + number + " ") }
        let bytes = Array((padding + number + " ").utf8)
        #expect(throws: PhoneNumberError.malformed) { try phoneNumbers.parse(bytes.span) }
    }

    @Test("invalid UTF-8 is malformed", arguments: [[0xFF], [0xC0, 0xAB], [0xEF, 0xBC]] as [[UInt8]])
    func notUTF8(tail: [UInt8]) {
        let bytes = Array("+16505550100".utf8) + tail
        #expect(throws: PhoneNumberError.malformed) { try phoneNumbers.parse(bytes.span) }
    }

    @Test("a rejection is the same the second time")
    func repeated() {
        for _ in 1...2 {
            #expect(throws: PhoneNumberError.tooShort) { try phoneNumbers.parse("+1650") }
            #expect(throws: PhoneNumberError.unknownCallingCode) { try phoneNumbers.parse("+2101234567890") }
        }
    }
}

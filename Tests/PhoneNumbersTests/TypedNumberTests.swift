import Testing

@testable import PhoneNumbers

@Suite struct TypedNumberTests {
    let phoneNumbers = PhoneNumbers()

    @Test(
        "a number is read in every form that is dialed in its region",
        arguments: [
            ("(650) 555-0101", "US", "+16505550101"), ("1 650 555 0101", "US", "+16505550101"),
            ("011 44 7400 123456", "US", "+447400123456"), ("+1 (650) 555-0101", "DE", "+16505550101"),
            ("07400 123456", "GB", "+447400123456"), ("+44 (0)7400 123456", "GB", "+447400123456"),
            ("0044 7400 123456", "DE", "+447400123456"), ("01512 3456789", "DE", "+4915123456789"),
            ("0650 5550101", "AT", "+436505550101"), ("312 345 6789", "IT", "+393123456789"),
            ("06 12345678", "IT", "+390612345678"), ("٠٥٠١٢٣٤٥٦٧", "AE", "+971501234567"),
            ("\u{202A}+1\u{A0}650\u{2011}555\u{2011}0101\u{202C}", "FR", "+16505550101"),
            ("８ ９１２ ３４５６７８９", "RU", "+79123456789"), ("11 2345-6789", "AR", "+5491123456789"),
            ("011 15-2345-6789", "AR", "+5491123456789"), ("9 11 15 2345 6789", "AR", "+5491123456789"),
            ("+54 11 2345-6789", "US", "+5491123456789"),
        ]
    )
    func forms(text: String, region: String, number: String) throws {
        let typed = try phoneNumbers.read(typed: text, in: Region(region))
        let formatted = try typed.reading.get()
        #expect(formatted.number.text == number)
        #expect(formatted.number == (try phoneNumbers.parse(number)), "a request to send reads the same number")
        #expect(try phoneNumbers.parse(formatted.international) == formatted.number)
        let again = try phoneNumbers.read(typed: formatted.national, in: formatted.number.region).reading.get()
        #expect(again.number == formatted.number)
    }

    @Test(
        "digits are formatted while they are typed",
        arguments: [
            ("650", "US", "650"), ("6505", "US", "650-5"), ("6505550101", "US", "(650) 555-0101"),
            ("+16505", "DE", "+1 650-5"), ("+", "US", "+"), ("", "US", ""), ("0740", "GB", "0740"),
        ]
    )
    func asYouType(text: String, region: String, formatted: String) throws {
        #expect(try phoneNumbers.read(typed: text, in: Region(region)).asYouType == formatted)
    }

    @Test("a number without a region must be international")
    func withoutRegion() throws {
        #expect(try phoneNumbers.read(typed: "+16505550101", in: nil).reading.get().number.text == "+16505550101")
        #expect(throws: PhoneNumberError.self) { try phoneNumbers.read(typed: "6505550101", in: nil).reading.get() }
    }

    @Test(
        "an incomplete number has a reason",
        arguments: [
            ("65", "US", PhoneNumberError.tooShort), ("65055501010101", "US", .tooLong), ("+", "US", .malformed),
        ]
    )
    func reasons(text: String, region: String, reason: PhoneNumberError) throws {
        #expect(throws: reason) { try phoneNumbers.read(typed: text, in: Region(region)).reading.get() }
    }

    @Test(
        "anything but digits and separators is malformed",
        arguments: ["650-CALL-NOW", "6505550101 ext. 5", "++1", "1+", "tel:+16505550101", "6505550101;x", "\u{0}"]
    )
    func malformed(text: String) {
        #expect(throws: PhoneNumberError.malformed) { try phoneNumbers.read(typed: text, in: Region("US")) }
    }

    @Test("texts of hostile lengths are refused")
    func length() {
        #expect(throws: PhoneNumberError.tooLong) {
            try phoneNumbers.read(typed: String(repeating: "1", count: 25), in: Region("US"))
        }
        #expect(throws: PhoneNumberError.malformed) {
            try phoneNumbers.read(typed: String(repeating: " ", count: 1_000_000), in: Region("US"))
        }
    }

    @Test("every region has a calling code, each code has one main region, and the examples are valid numbers")
    func regions() throws {
        let all = phoneNumbers.data.regions
        #expect(all.count > 240)
        #expect(Set(all.map(\.region)).count == all.count)
        let codes = Dictionary(grouping: all, by: \.callingCode)
        #expect(codes[1]?.count ?? 0 > 20)
        for (code, regions) in codes { #expect(regions.count(where: \.isMainOfCallingCode) == 1, "+\(code)") }
        for entry in all where !entry.example.isEmpty {
            let formatted = try phoneNumbers.read(typed: entry.example, in: entry.region).reading.get()
            #expect(formatted.number.text.hasPrefix("+\(entry.callingCode)"), "\(entry.region)")
        }
    }

    @Test("printing a typed number shows no more than its last four digits")
    func privacy() throws {
        let typed = try phoneNumbers.read(typed: "(650) 555-0101", in: Region("US"))
        var text = "\(typed)" + String(reflecting: typed) + "\(try typed.reading.get())"
        dump(typed, to: &text)
        #expect(!text.contains("650") && !text.contains("555"))
    }
}

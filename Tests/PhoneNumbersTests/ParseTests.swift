import PhoneNumbers
import Testing

@Suite struct ParseTests {
    let phoneNumbers = PhoneNumbers()

    @Test(
        "a number's region follows its numbering plan, not its calling code",
        arguments: [
            ("+16505550100", "US"), ("+14165550123", "CA"), ("+18765550123", "JM"), ("+18004444444", "US"),
            ("+447400123456", "GB"), ("+447911123456", "GG"), ("+447797712345", "JE"), ("+447624012345", "IM"),
            ("+79261234567", "RU"), ("+77012345678", "KZ"), ("+390612345678", "IT"), ("+390669812345", "VA"),
            ("+5491123456789", "AR"), ("+525512345678", "MX"), ("+8613812345678", "CN"), ("+5511961234567", "BR"),
            ("+4915123456789", "DE"), ("+262692123456", "RE"), ("+80012345678", "001"), ("+883510012345", "001"),
        ]
    )
    func region(text: String, region: String) throws {
        let number = try phoneNumbers.parse(text)
        #expect(number.text == text)
        #expect(number.region == Region(region))
        #expect(number.isValid)
    }

    @Test("a possible but unassigned number is accepted and marked as unassigned")
    func unassigned() throws {
        let number = try phoneNumbers.parse("+19995550100")
        #expect(number.text == "+19995550100")
        #expect(number.region == nil)
        #expect(!number.isValid)
    }

    @Test(
        "plans grow: a longer number than the data know is possible, but of no known region",
        arguments: [("+35458123456", "IS"), ("+22901951234567", "BJ"), ("+447400123456789", "GB")]
    )
    func longer(text: String, mainRegion: String) throws {
        let number = try phoneNumbers.parse(text)
        #expect(number.text == text)
        #expect(number.region == nil)
        #expect(number.mainRegion == Region(mainRegion))
        #expect(!number.isValid)
    }

    @Test(
        "a number's main region is that of its calling code",
        arguments: [("+18765550123", "US"), ("+77012345678", "RU"), ("+19995550100", "US"), ("+80012345678", "001")]
    )
    func mainRegion(text: String, region: String) throws {
        #expect(try phoneNumbers.parse(text).mainRegion == Region(region))
    }

    @Test("a number can be invalid although its country is known")
    func invalidWithRegion() throws {
        let number = try phoneNumbers.parse("+4910000000")
        #expect(number.region == Region("DE"))
        #expect(!number.isValid)
    }

    @Test(
        "spacing, punctuation and digits of other scripts are normalized",
        arguments: [
            ("+1 650-555-0100", "+16505550100"), ("+1 (650) 555 0100", "+16505550100"),
            ("+1.650.555.0100", "+16505550100"), (" \t+16505550100\n", "+16505550100"),
            ("+1 650\u{2011}555\u{2013}0100", "+16505550100"), ("+1\u{A0}650\u{A0}555\u{A0}0100", "+16505550100"),
            ("\u{202A}+1 650 555 0100\u{202C}", "+16505550100"), ("+33 (6) 12/34/56/78", "+33612345678"),
            ("＋８１　９０－１２３４－５６７８", "+819012345678"), ("+٩٧١٥٠١٢٣٤٥٦٧", "+971501234567"),
            ("+۹۸۹۱۲۳۴۵۶۷۸۹", "+989123456789"),
        ]
    )
    func normalized(typed: String, text: String) throws {
        #expect(try phoneNumbers.parse(typed).text == text)
    }

    @Test(
        "a national prefix dialed after the calling code is removed",
        arguments: [
            ("+44 (0)7400 123456", "+447400123456"), ("+49 0151 23456789", "+4915123456789"),
            ("+49 00151 23456789", "+4915123456789"), ("+1 1 650 555 0100", "+16505550100"),
            ("+54 9 11 2345 6789", "+5491123456789"), ("+54 011 15 2345 6789", "+5491123456789"),
            ("+52 55 1234 5678", "+525512345678"),
            ("+39 06 1234 5678", "+390612345678"), ("+39 347 123 4567", "+393471234567"),
        ]
    )
    func nationalPrefix(typed: String, text: String) throws {
        let number = try phoneNumbers.parse(typed)
        #expect(number.text == text)
        #expect(try phoneNumbers.parse(number.text) == number)
    }

    @Test(
        "a number that is written with and without a mobile token is one number",
        arguments: [
            ("+54 11 2345 6789", "+5491123456789"), ("+54 9 11 2345 6789", "+5491123456789"),
            ("+54 011 15 2345 6789", "+5491123456789"), ("+54 223 123 4567", "+5492231234567"),
            ("+54 3833 123456", "+5493833123456"), ("+52 1 55 1234 5678", "+525512345678"),
            ("+52 044 55 1234 5678", "+525512345678"), ("+52 01 55 1234 5678", "+525512345678"),
            ("+52 55 1234 5678", "+525512345678"), ("+54 800 555 1234", "+548005551234"),
            ("+54 9 11 15 2345 6789", "+5491123456789"), ("+54 11 15 2345 6789", "+5491123456789"),
            ("+54 9 223 15 123 4567", "+5492231234567"), ("+54 9 3833 15 123456", "+5493833123456"),
            ("+54 3833 15 123456", "+5493833123456"), ("+54 9 2915 15 123456", "+5492915123456"),
        ]
    )
    func canonical(typed: String, text: String) throws {
        let number = try phoneNumbers.parse(typed)
        #expect(number.text == text)
        #expect(try phoneNumbers.parse(number.text) == number)
    }

    @Test("the bytes of a request parse like a string")
    func bytes() throws {
        let bytes = Array("+1 650-555-0100".utf8)
        #expect(try phoneNumbers.parse(bytes.span) == phoneNumbers.parse("+16505550100"))
    }

    @Test("the regions of the data are known, others are not")
    func knownRegions() throws {
        for code in ["US", "GB", "AC", "001"] {
            #expect(phoneNumbers.knows(try #require(Region(code))), "\(code)")
        }
        for code in ["UK", "AA", "EU"] { #expect(!phoneNumbers.knows(try #require(Region(code))), "\(code)") }
    }
}

import TestBrowser
import Testing

@testable import PhoneNumbers

@Suite struct NumberingDataTests {
    private let release = String(decoding: NumberingData.builtIn.file, as: UTF8.self)

    /// The data of the release with another region.
    private func release(and lines: String) -> String { release.dropLast("end\n".count) + lines + "end\n" }

    private func read(_ text: String) throws(NumberingDataError) -> NumberingData {
        try NumberingData(file: Array(text.utf8))
    }

    @Test("the data of the release are complete, and each of its examples is valid")
    func builtIn() throws {
        let data = try read(release)
        #expect(data.regions.count == 245)
        #expect(data.version == NumberingData.builtIn.version)
        #expect(data.file == NumberingData.builtIn.file)
    }

    @Test("the data of the release are those of the PyPI package: make numbering-data changes nothing")
    func generated() throws {
        let script = #filePath.dropLast("Data/NumberingDataTests.swift".count) + "Reference/metadata_xml.py"
        let xml = Array(try Python.run(["-B", String(script)]).utf8)
        let data = NumberingData.builtIn
        #expect(try NumberingDataFile(xml: xml, version: data.version, date: data.date).bytes == data.file)
    }

    @Test("a file that is cut off or damaged anywhere is refused")
    func damaged() {
        for part in [0, 1, 10, 1000, release.utf8.count / 2, release.utf8.count - 20, release.utf8.count - 1] {
            #expect(throws: NumberingDataError.self) { try read(String(release.prefix(part))) }
        }
        #expect(throws: NumberingDataError.notNumberingData) { try read("<html></html>") }
        #expect(throws: NumberingDataError.pattern("[2-9")) {
            try read(release(and: "+999\tXX\ngeneral\t5\t\t\t[2-9\n"))
        }
        #expect(throws: NumberingDataError.malformed("unknown\tfact")) {
            try read(release(and: "+999\tXX\ngeneral\t5\t\t\t[2-9]\nunknown\tfact\n"))
        }
        #expect(throws: NumberingDataError.malformed("satellite")) {
            try read(release(and: "+999\tXX\ngeneral\t5\t\t\t[2-9]\nsatellite\t5\t\t22222\t[2-9]\\d{4}\n"))
        }
    }

    @Test(
        "prefixes and examples with anything but digits are refused",
        arguments: [
            "national\t#", "national\t８", "replacement\tA$1", "replacement\t$1~", "general\t5\t\t2 222\t[2-9]\\d{4}",
        ]
    )
    func notDigits(line: String) {
        #expect(throws: NumberingDataError.malformed(line)) {
            try read(release(and: "+999\tXX\ngeneral\t5\t\t\t[2-9]\\d{4}\n\(line)\n"))
        }
    }

    @Test("an example that the data do not call valid is found")
    func wrongExample() throws {
        let data = release(and: "+999\tXX\ngeneral\t5\t\t\t[2-9]\\d{4}\nmobile\t5\t\t12345\t[2-9]\\d{4}\n")
        #expect(throws: NumberingDataError.exampleInvalid(region: "XX", example: "12345")) { try read(data) }
    }

    @Test("data without a calling code of the release, or without one main region for it, are refused")
    func incomplete() throws {
        let regions = release.split(separator: "\n+")
        let withoutAmerica = regions.filter { !$0.hasPrefix("1\t") }.joined(separator: "\n+")
        #expect(throws: NumberingDataError.callingCodeMissing(1)) { try read(withoutAmerica) }
        let withoutMain = release.replacing("\n+1\tUS\tmain\n", with: "\n+1\tUS\n")
        #expect(throws: NumberingDataError.malformed("+1")) { try read(withoutMain) }
        let prefix = release(and: "+25\tXX\ngeneral\t5\t\t\t[2-9]\\d{4}\n")
        #expect(throws: NumberingDataError.malformed("+25")) { try read(prefix) }
    }

    @Test("a pattern whose groups nest deeper than those of real plans is refused, because matching recurses")
    func nested() {
        for depth in [17, 500, 20_000] {
            let pattern = String(repeating: "(?:", count: depth) + "2" + String(repeating: ")", count: depth)
            #expect(throws: NumberingDataError.pattern(pattern)) { try DigitPattern(pattern) }
        }
    }

    @Test("new data replace those in use, and results with the former data are forgotten")
    func replaced() throws {
        let numbers = PhoneNumbers()
        #expect(throws: PhoneNumberError.unknownCallingCode) { try numbers.parse("+99922222") }
        numbers.use(try read(release(and: "+999\tXX\ngeneral\t5\t\t\t[2-9]\\d{4}\nmobile\t5\t\t22222\t[2-9]\\d{4}\n")))
        #expect(try numbers.parse("+99922222").region == Region("XX"))
        #expect(numbers.knows(try #require(Region("XX"))))
    }

    @Test("the published XML is read with its comments, document type, entities, line breaks and inherited rules")
    func xml() throws {
        let xml = """
            <?xml version="1.0"?>
            <!-- <territory> -->
            <!DOCTYPE phoneNumberMetadata [ <!ELEMENT territories (territory+)> ]>
            <phoneNumberMetadata><territories>
              <territory id="XX" countryCode='999' nationalPrefix="0" nationalPrefixFormattingRule="($NP$FG)">
                <references><sourceUrl>http://example.com/?a=1&amp;b=2</sourceUrl></references>
                <availableFormats>
                  <numberFormat pattern="(\\d{2})(\\d{3})">
                    <leadingDigits>2</leadingDigits>
                    <leadingDigits>
                      2[0-4]|
                      3
                    </leadingDigits>
                    <format>$1 $2</format>
                    <intlFormat>NA</intlFormat>
                  </numberFormat>
                </availableFormats>
                <generalDesc><nationalNumberPattern>[2-9]\\d{4}</nationalNumberPattern></generalDesc>
                <noInternationalDialling><possibleLengths national="9"/></noInternationalDialling>
                <mobile>
                  <possibleLengths national="[5-7],9" localOnly="3"/>
                  <exampleNumber>22222</exampleNumber>
                  <nationalNumberPattern>[2-9]\\d{4}</nationalNumberPattern>
                </mobile>
              </territory>
            </territories></phoneNumberMetadata>
            """
        let file = try NumberingDataFile(xml: Array(xml.utf8), version: "1.2.3", date: "2026-01-31")
        let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            lines == [
                "dialtone-numbering\t1\t1.2.3\t2026-01-31", "+999\tXX", "national\t0", "prefix\t0",
                "general\t5,6,7,9\t3\t\t[2-9]\\d{4}", "mobile\t5,6,7,9\t3\t22222\t[2-9]\\d{4}",
                "format\t(\\d{2})(\\d{3})\t2[0-4]|3\t$1 $2\t(0$1)\t-", "end",
            ]
        )
        #expect(throws: NumberingDataError.incomplete(regions: 1)) { try NumberingData(file: file.bytes) }
        #expect(throws: NumberingDataError.malformed("2026-1-31")) {
            try NumberingDataFile(xml: Array(xml.utf8), version: "1.2.3", date: "2026-1-31")
        }
    }

    @Test("versions are compared number by number")
    func versions() throws {
        let versions = ["8.13.57", "9.0.9", "9.0.43", "10.0"].compactMap { NumberingVersion($0) }
        #expect(versions == versions.sorted() && versions.count == 4)
        for text in ["", "9.", "a", "9.-1"] { #expect(NumberingVersion(text) == nil) }
    }
}

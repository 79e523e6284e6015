import Encodings
import Testing

@Suite struct FormFieldsTests {
    static let accepted: [(text: String, name: String, value: String?)] = [
        ("", "a", nil),
        ("a=1", "a", "1"),
        ("a=1&b=2", "b", "2"),
        ("a=1&a=2", "a", "1"),
        ("a", "a", ""),
        ("a=", "a", ""),
        ("=1", "", "1"),
        ("&&a=1&", "a", "1"),
        ("a=b=c", "a", "b=c"),
        ("a=1+2", "a", "1 2"),
        ("a=1%2B2", "a", "1+2"),
        ("a%20b=%26%3D", "a b", "&="),
        ("a=%e2%82%AC", "a", "€"),
        ("a=€", "a", "€"),
        ("a=%00", "a", "\0"),
        ("A=1", "a", nil),
    ]

    @Test("pairs are parsed as in the URL standard", arguments: accepted)
    func reads(text: String, name: String, value: String?) throws {
        let fields = try #require(FormFields(text.utf8))
        #expect(fields[name] == value)
    }

    @Test(
        "broken escapes and invalid UTF-8 are rejected, in names and in values",
        arguments: ["%", "%2", "%zz", "%2g", "%g2", "%%32", "%+1", "%ff", "%c3", "%ed%a0%80", "%C0%AF"]
    )
    func refuses(text: String) {
        #expect(FormFields("a=\(text)".utf8) == nil)
        #expect(FormFields("\(text)=a".utf8) == nil)
        #expect(FormFields("b=1&\(text)".utf8) == nil)
    }

    @Test("fields are equal if names, values and order are equal")
    func equality() {
        #expect(FormFields("a=1&b=2".utf8) == FormFields("a=%31&&b=2".utf8))
        #expect(FormFields("a=1&b=2".utf8) != FormFields("b=2&a=1".utf8))
        #expect(FormFields("a=1".utf8) != FormFields("a=1&a=1".utf8))
    }

    @Test("written fields are read back, whatever characters they contain")
    func written() throws {
        let values = ["", "plain-._~", "a b+c%20&d=e;f/g?h#i", "\u{0}\r\n", "é€😀", "\"<>\\^`{|}"]
        let fields = values.enumerated().map { (name: "field_\($0.offset)", value: $0.element) }
        let text = FormFields.encode(fields)
        #expect(try #require(FormFields(text.utf8)).fields.map(\.value) == values)
        #expect(text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._~%=&".utf8.contains($0) })
        #expect(FormFields.encode([]) == "")
    }
}

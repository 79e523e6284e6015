import Encodings
import TestServers
import Testing

@Suite struct JSONReaderTests {
    static let accepted: [(text: String, value: JSONValue)] = [
        ("null", .null),
        ("true", .bool(true)),
        ("false", .bool(false)),
        (" \t\r\n1 \t\r\n", .number("1")),
        (#""""#, .string("")),
        ("[]", .array([])),
        ("[ ]", .array([])),
        ("{}", .object(JSONObject())),
        ("{ }", .object(JSONObject())),
        ("[1,2 , 3]", .array([.number("1"), .number("2"), .number("3")])),
        (
            #"{"a":1, "b" : [true,null]}"#,
            .object(JSONObject(members: [("a", .number("1")), ("b", .array([.bool(true), .null]))]))
        ),
        (#"{"":""}"#, .object(JSONObject(members: [("", .string(""))]))),
        (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
        (#""\u0041\u00e9\u00E9\u20AC""#, .string("Aéé€")),
        (#""\u0000""#, .string("\0")),
        (#""\ud83d\udE00""#, .string("😀")),
        (#""\uDBFF\uDFFF""#, .string("\u{10FFFF}")),
        (#""😀é\u007f""#, .string("😀é\u{7F}")),
    ]

    @Test("valid JSON (RFC 8259) is accepted", arguments: accepted)
    func accepts(text: String, value: JSONValue) throws {
        #expect(try JSONValue.parse(Array(text.utf8)) == value)
    }

    @Test(
        "numbers keep their spelling",
        arguments: [
            "0", "-0", "7", "-12", "10", "0.5", "-0.50", "1e5", "1E+05", "2.5e-300", "0e0",
            "123456789012345678901234567890.123456789", "1e99999",
        ]
    )
    func numbers(spelling: String) throws {
        #expect(try JSONValue.parse(Array(spelling.utf8)) == .number(spelling))
        #expect(try JSONValue.parse(Array("[\(spelling)]".utf8)) == .array([.number(spelling)]))
    }

    static let refused: [(text: String, error: JSONError)] = [
        ("", .unexpectedEnd),
        ("  ", .unexpectedEnd),
        ("tru", .unexpectedEnd),
        ("trux", .unexpectedByte(offset: 3)),
        ("True", .unexpectedByte(offset: 0)),
        ("nil_", .unexpectedByte(offset: 1)),
        ("1 2", .unexpectedByte(offset: 2)),
        ("null,", .unexpectedByte(offset: 4)),
        ("NaN", .unexpectedByte(offset: 0)),
        ("+1", .unexpectedByte(offset: 0)),
        (".5", .unexpectedByte(offset: 0)),
        ("01", .unexpectedByte(offset: 1)),
        ("-", .unexpectedEnd),
        ("-a", .unexpectedByte(offset: 1)),
        ("-01", .unexpectedByte(offset: 2)),
        ("1.", .unexpectedEnd),
        ("1.e5", .unexpectedByte(offset: 2)),
        ("1e", .unexpectedEnd),
        ("1e+", .unexpectedEnd),
        ("1e+x", .unexpectedByte(offset: 3)),
        ("0x10", .unexpectedByte(offset: 1)),
        ("[", .unexpectedEnd),
        ("[1", .unexpectedEnd),
        ("[1,", .unexpectedEnd),
        ("[1,]", .unexpectedByte(offset: 3)),
        ("[,1]", .unexpectedByte(offset: 1)),
        ("[1 2]", .unexpectedByte(offset: 3)),
        ("[1}", .unexpectedByte(offset: 2)),
        ("{", .unexpectedEnd),
        ("{1:2}", .unexpectedByte(offset: 1)),
        ("{a:2}", .unexpectedByte(offset: 1)),
        (#"{"a"}"#, .unexpectedByte(offset: 4)),
        (#"{"a":}"#, .unexpectedByte(offset: 5)),
        (#"{"a":1,}"#, .unexpectedByte(offset: 7)),
        (#"{"a":1]"#, .unexpectedByte(offset: 6)),
        ("[]]", .unexpectedByte(offset: 2)),
        ("[1]// no", .unexpectedByte(offset: 3)),
        ("/* no */1", .unexpectedByte(offset: 0)),
        ("'a'", .unexpectedByte(offset: 0)),
        ("\u{FEFF}1", .unexpectedByte(offset: 0)),
        ("\u{A0}1", .unexpectedByte(offset: 0)),
        (#"""#, .unexpectedEnd),
        (#""a"#, .unexpectedEnd),
        (#""\"#, .unexpectedEnd),
        (#""\""#, .unexpectedEnd),
        (#""\x""#, .unexpectedByte(offset: 2)),
        (#""\U0041""#, .unexpectedByte(offset: 2)),
        ("\"a\nb\"", .unexpectedByte(offset: 2)),
        ("\"\\n\tb\"", .unexpectedByte(offset: 3)),
        ("\"\0\"", .unexpectedByte(offset: 1)),
        (#""\u00""#, .unexpectedByte(offset: 5)),
        (#""\u00g0""#, .unexpectedByte(offset: 5)),
        (#""\u00"#, .unexpectedEnd),
        (#""\ud83d""#, .unexpectedByte(offset: 1)),
        (#""ab\ud83dcd""#, .unexpectedByte(offset: 3)),
        (#""\ud83d\n""#, .unexpectedByte(offset: 1)),
        (#""\ud83d\u0041""#, .unexpectedByte(offset: 1)),
        (#""\ud83d\ud83d""#, .unexpectedByte(offset: 1)),
        (#""\udE00""#, .unexpectedByte(offset: 1)),
        (#""\udE00\ud83d""#, .unexpectedByte(offset: 1)),
    ]

    @Test("invalid JSON is rejected at its first error", arguments: refused)
    func refuses(text: String, error: JSONError) {
        #expect(throws: error) { try JSONValue.parse(Array(text.utf8)) }
    }

    @Test(
        "invalid UTF-8 is rejected, in values and in names",
        arguments: [
            [0x80], [0xC3], [0xC0, 0xAF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
        ] as [[UInt8]]
    )
    func invalidUTF8(bytes: [UInt8]) {
        #expect(throws: JSONError.invalidUTF8(offset: 2)) {
            try JSONValue.parse(Array("[\"".utf8) + bytes + Array("\"]".utf8))
        }
        let name = Array("{\"".utf8) + bytes + Array("\":1}".utf8)
        #expect(throws: JSONError.invalidUTF8(offset: 2)) { try JSONValue.parse(name) }
        let afterEscape = Array("\"\\n".utf8) + bytes + Array("\"".utf8)
        #expect(throws: JSONError.invalidUTF8(offset: 1)) { try JSONValue.parse(afterEscape) }
    }

    @Test("32 nested containers are accepted, and the 33rd is rejected where it begins", arguments: ["[", #"{"a":"#])
    func nesting(opening: String) throws {
        let closing = opening == "[" ? "]" : "}"
        func document(_ depth: Int) -> [UInt8] {
            Array((String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)).utf8)
        }
        _ = try JSONValue.parse(document(32))
        #expect(throws: JSONError.tooDeep(offset: 32 * opening.utf8.count)) { try JSONValue.parse(document(33)) }
        // A hostile depth is rejected just as early.
        #expect(throws: JSONError.tooDeep(offset: 32 * opening.utf8.count)) { try JSONValue.parse(document(200_000)) }
        #expect(throws: JSONError.tooDeep(offset: 0)) { try JSONValue.parse(document(1), maximumDepth: 0) }
        #expect(try JSONValue.parse([UInt8(ascii: "1")], maximumDepth: 0) == .number("1"))
    }

    @Test("siblings do not count as nesting")
    func siblings() throws {
        let text = "[" + [String](repeating: "[]", count: 100).joined(separator: ",") + "]"
        guard case .array(let elements) = try JSONValue.parse(Array(text.utf8), maximumDepth: 2) else {
            Issue.record("no array")
            return
        }
        #expect(elements.count == 100)
    }

    @Test("if a name is repeated, the last value counts, and no other member is lost")
    func duplicates() throws {
        guard case .object(let object) = try JSONValue.parse(Array(#"{"a":1,"b":2,"\u0061":3}"#.utf8)) else {
            Issue.record("no object")
            return
        }
        #expect(object["a"] == .number("3"))
        #expect(object["b"] == .number("2"))
        #expect(object["c"] == nil)
        #expect(object.members.map(\.name) == ["a", "b", "a"])
    }

    @Test("no prefix of a document is accepted or crashes the reader")
    func truncations() throws {
        let document = Array(#"{"a":[1.5e3,-0,true,false,null,"x\ud83d\ude00\n"],"é":{"b":""}}"#.utf8)
        _ = try JSONValue.parse(document)
        for length in 0..<document.count {
            #expect(throws: JSONError.self) { try JSONValue.parse(Array(document.prefix(length))) }
        }
    }

    @Test("random bytes are accepted or rejected, without a crash")
    func noise() {
        var generator = SplitMix(seed: 8259)
        let alphabet = Array(#"{}[]",:\u0dDeE8-+. tfn"#.utf8) + [0x00, 0x0A, 0x80, 0xC3, 0xA9, 0xFF]
        var readable = 0
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...12, using: &generator)
            let document = (0..<length).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            if (try? JSONValue.parse(document)) != nil { readable += 1 }
        }
        #expect(readable > 0)
    }
}

import Encodings
import TestServers
import Testing

@Suite struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static let escapes: [(value: String, text: String)] = [
        ("", #""""#),
        ("plain /", #""plain /""#),
        (#"a"b\c"#, #""a\"b\\c""#),
        ("\n\r\t", #""\n\r\t""#),
        ("\0\u{1}\u{8}\u{B}\u{C}", #""\u0000\u0001\u0008\u000b\u000c""#),
        ("\u{F}\u{10}\u{1F}\u{7F}", "\"\\u000f\\u0010\\u001f\u{7F}\""),
        ("é€😀", #""é€😀""#),
    ]

    @Test("quotes, backslashes and control characters are escaped, and all others are unchanged", arguments: escapes)
    func escaping(value: String, text expected: String) {
        #expect(text { $0.value(value) } == expected)
        #expect(text { json in json.object { $0.member(value, value) } } == "{\(expected):\(expected)}")
    }

    @Test("each ASCII character is escaped correctly at any position", arguments: 0..<UInt8(128))
    func places(ascii: UInt8) {
        let character = Character(Unicode.Scalar(ascii))
        let isEscaped = ascii < 0x20 || character == "\"" || character == "\\"
        for length in 1...20 {
            for place in 0..<length {
                var characters = [Character](repeating: "é", count: length)
                characters[place] = character
                let value = String(characters)
                let written = text { $0.value(value) }
                #expect((written == "\"\(value)\"") != isEscaped)
                #expect((try? JSONValue.parse(Array(written.utf8))) == .string(value))
            }
        }
    }

    @Test("whole numbers and booleans are written unchanged")
    func scalars() {
        #expect(text { $0.value(Int64.min) } == "-9223372036854775808")
        #expect(text { $0.value(Int64.max) } == "9223372036854775807")
        #expect(text { $0.value(true) } == "true")
        #expect(text { $0.value(false) } == "false")
        #expect(text { $0.value(JSONValue.null) } == "null")
        #expect(text { $0.value(JSONValue.number("1.50e3")) } == "1.50e3")
    }

    @Test("values are separated by commas at every depth")
    func commas() {
        let document = text { json in
            json.object { json in
                json.object("none") { _ in }
                json.array("empty") { _ in }
                json.member("one", 1)
                json.array("list") { json in
                    json.array { _ in }
                    json.object { $0.member("a", "b") }
                    json.object { _ in }
                    json.value(2)
                    json.value("c")
                }
                json.object("more") { json in
                    json.member("yes", true)
                    json.member("any", JSONValue.array([.null, .object(JSONObject())]))
                }
                json.member("last", false)
            }
        }
        #expect(
            document == #"{"none":{},"empty":[],"one":1,"list":[[],{"a":"b"},{},2,"c"],"#
                + #""more":{"yes":true,"any":[null,{}]},"last":false}"#
        )
    }

    @Test("a thousand random documents round-trip")
    func roundTrip() throws {
        var generator = SplitMix(seed: 7159)
        for _ in 0..<1000 {
            let value = RandomJSON.value(depth: 4, &generator)
            var writer = JSONWriter()
            writer.value(value)
            let read = try JSONValue.parse(writer.bytes)
            #expect(RandomJSON.fingerprint(read) == RandomJSON.fingerprint(value))
        }
    }
}

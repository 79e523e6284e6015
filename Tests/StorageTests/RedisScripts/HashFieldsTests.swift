import Redis
import Testing

@testable import PhoneAuth
@testable import RedisScripts

@Suite struct HashFieldsTests {
    private let fields = HashFields(
        [
            .integer(7),
            .bytes(Array("name".utf8)), .bytes(Array("Ada".utf8)),
            .bytes(Array("count".utf8)), .bytes(Array("12".utf8)),
            .bytes(Array("gone".utf8)), .null,
            .bytes(Array("empty".utf8)), .bytes([]),
            .bytes(Array("left over".utf8)),
        ].dropFirst()
    )

    @Test("a field is found only by its exact name")
    func names() {
        #expect(fields["name"] == Array("Ada".utf8) && fields.text("name") == "Ada")
        #expect(fields["empty"] == [])
        for name in ["", "nam", "names", "Ada", "gone", "left over"] { #expect(fields[name] == nil) }
    }

    @Test("a number is parsed from its text")
    func numbers() {
        #expect(fields.integer("count") == 12)
        #expect(fields.integer("name") == nil && fields.integer("absent") == nil)
        #expect(fields.integers == ["count": 12])
    }

    @Test("all fields with a value are returned in order")
    func all() {
        #expect(fields.map(\.name) == ["name", "count", "empty"])
        #expect(fields.dictionary == ["name": Array("Ada".utf8), "count": Array("12".utf8), "empty": []])
    }

    @Test("a reply may have no fields, or fewer than requested", arguments: 0...3)
    func none(dropped: Int) {
        let reply = ScriptReply(.array([.integer(1)]))
        #expect(Array(reply.fields(from: dropped)).isEmpty && reply.fields(from: dropped)["name"] == nil)
    }
}

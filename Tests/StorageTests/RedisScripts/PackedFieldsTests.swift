import Redis
import Testing

@testable import PhoneAuth
@testable import RedisScripts

@Suite struct PackedFieldsTests {
    private func fields(_ pairs: KeyValuePairs<String, String>) -> PackedFields {
        let elements = pairs.flatMap { [Reply.bytes(Array($0.utf8)), .bytes(Array($1.utf8))] }
        return PackedFields(HashFields(elements[...]), packed: ["packed": ["first", "second", "third"]])
    }

    @Test("values are lines, of which only the last may contain line breaks")
    func lines() {
        let fields = fields(["packed": "\r\n\n\n\u{301}\r\nend\n", "other": "7"])
        #expect(fields.text("first") == "\r" && fields.text("second") == "")
        #expect(fields.text("third") == "\n\u{301}\r\nend\n")
        #expect(fields.integer("other") == 7 && fields.integer("first") == nil && fields.text("absent") == nil)
    }

    @Test("a value without a line has a field")
    func missing() {
        let former = fields(["first": "1", "second": "2"])
        #expect(former.integer("first") == 1 && former.integer("second") == 2 && former.text("third") == nil)
        let few = fields(["packed": "1", "first": "field", "second": "2"])
        #expect(few.integer("first") == 1 && few.integer("second") == 2)
    }
}

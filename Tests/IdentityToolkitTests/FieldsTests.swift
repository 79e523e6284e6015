import Encodings
import Testing

@testable import IdentityToolkit

@Suite struct FieldsTests {
    private func fields(_ text: String) throws -> Fields { try Fields(json: Array(text.utf8)) }

    /// What an operation is refused with.
    private func refusal(_ operation: () throws -> Void) -> String? {
        do {
            try operation()
            return nil
        } catch {
            return (error as? WireError)?.message
        }
    }

    @Test("an empty body is an empty object")
    func empty() throws {
        #expect(try Fields(json: []).text("a") == nil)
        #expect(try fields("{}").text("a") == nil)
    }

    static let malformed: [(body: String, detail: String)] = [
        ("[]", "Root element must be a message."),
        ("null", "Root element must be a message."),
        (#""{}""#, "Root element must be a message."),
        ("{", "Unexpected end of string."),
        (" ", "Unexpected end of string."),
        (#"{"a":1,}"#, "Unexpected token at offset 7."),
        ("a=1", "Unexpected token at offset 0."),
        (String(repeating: "[", count: 33), "Message too deep."),
    ]

    @Test("a body that is no JSON object is refused in the protocol's words", arguments: malformed)
    func refusesMalformed(body: String, detail: String) throws {
        let error = #expect(throws: WireError.self) { try fields(body) }
        #expect(error?.message == "Invalid JSON payload received. \(detail)")
        #expect(error?.httpStatus == 400)
        #expect(error?.status == "INVALID_ARGUMENT")
    }

    @Test("a body that is not UTF-8 is refused")
    func notUTF8() {
        let error = #expect(throws: WireError.self) {
            try Fields(json: Array("{\"".utf8) + [0xFF] + Array("\":1}".utf8))
        }
        #expect(error?.message == "Invalid JSON payload received. Invalid UTF-8 at offset 2.")
    }

    static let texts: [(body: String, text: String?)] = [
        (#"{"phoneNumber":"+1"}"#, "+1"),
        (#"{"phone_number":"+1"}"#, "+1"),
        (#"{"phone_number":"snake","phoneNumber":"camel"}"#, "camel"),
        (#"{"phoneNumber":""}"#, ""),
        (#"{"phoneNumber":null}"#, nil),
        (#"{"phoneNumber":5}"#, "5"),
        (#"{"phoneNumber":-16505550101}"#, "-16505550101"),
        (#"{"phoneNumber":1.50e3}"#, "1.50e3"),
        (#"{"phoneNumber":"a","phoneNumber":"b"}"#, "b"),
        (#"{"PhoneNumber":"a","phonenumber":"b","phone-number":"c","Phone_Number":"d"}"#, nil),
        ("{}", nil),
    ]

    @Test("a text comes in camelCase or snake_case, and numbers keep their spelling", arguments: texts)
    func text(body: String, text: String?) throws {
        #expect(try fields(body).text("phoneNumber") == text)
    }

    @Test("a value of another type than text is refused", arguments: ["true", "false", "[]", #"["x"]"#, "{}"])
    func wrongText(value: String) throws {
        let fields = try fields("{\"phoneNumber\":\(value)}")
        #expect(
            refusal { _ = try fields.text("phoneNumber") }
                == "Invalid JSON payload received. Invalid value at 'phoneNumber' (TYPE_STRING)."
        )
    }

    static let flags: [(value: String, flag: Bool?)] = [
        ("true", true), ("false", false), (#""true""#, true), (#""false""#, false), ("null", nil),
    ]

    @Test("a flag is a JSON flag or its name", arguments: flags)
    func flag(value: String, flag: Bool?) throws {
        #expect(try fields("{\"isNew\":\(value)}").flag("isNew") == flag)
        #expect(try fields("{\"is_new\":\(value)}").flag("isNew") == flag)
    }

    @Test("a value of another type than a flag is refused", arguments: ["1", "0", #""yes""#, #""True""#, "[]", "{}"])
    func wrongFlag(value: String) throws {
        let fields = try fields("{\"isNew\":\(value)}")
        #expect(
            refusal { _ = try fields.flag("isNew") }
                == "Invalid JSON payload received. Invalid value at 'isNew' (TYPE_BOOL)."
        )
    }

    @Test("an object's fields are read like the body's")
    func nested() throws {
        let fields = try fields(#"{"sign_in":{"allow_duplicates":true},"none":null}"#)
        #expect(try fields.fields("signIn")?.flag("allowDuplicates") == true)
        let isThere = try fields.fields("none") != nil
        #expect(!isThere)
        for body in [#"{"a":[]}"#, #"{"a":"x"}"#, #"{"a":1}"#, #"{"a":true}"#] {
            let fields = try self.fields(body)
            #expect(refusal { _ = try fields.fields("a") }?.hasPrefix("Invalid JSON payload received. ") == true)
        }
    }

    static let enumerations: [(value: String, name: String?)] = [
        (#""BLUE""#, "BLUE"), ("0", "RED"), ("1", "GREEN"), (#""2""#, "BLUE"), ("3", "3"), ("-1", "-1"),
        ("99999999999999999999", "99999999999999999999"), (#""PINK""#, "PINK"), ("null", nil),
    ]

    @Test("an enumeration comes by name or by number; what it does not have stays as it is", arguments: enumerations)
    func readsEnumeration(value: String, name: String?) throws {
        let colours = ["RED", "GREEN", "BLUE"]
        #expect(try fields("{\"theColour\":\(value)}").enumeration("theColour", colours) == name)
        #expect(try fields("{\"the_colour\":\(value)}").enumeration("theColour", colours) == name)
    }

    static let lists: [(value: String, texts: [String])] = [
        ("[]", []), ("null", []), (#"["RED"]"#, ["RED"]), (#"["BLUE",1,"x","9"]"#, ["BLUE", "GREEN", "x", "9"]),
    ]

    @Test("a list has texts, and names of an enumeration by name or by number", arguments: lists)
    func readsList(value: String, names: [String]) throws {
        let colours = ["RED", "GREEN", "BLUE"]
        #expect(try fields("{\"theColours\":\(value)}").enumerations("theColours", colours) == names)
        #expect(try fields("{\"the_colours\":\(value)}").enumerations("theColours", colours) == names)
        #expect(try fields("{}").texts("theColours") == [])
    }

    @Test("what is no list of texts is refused", arguments: [#""x""#, "1", "true", "{}", "[[]]", "[null]", "[true]"])
    func wrongList(value: String) throws {
        let fields = try fields("{\"theColours\":\(value)}")
        #expect(
            refusal { _ = try fields.texts("theColours") }
                == "Invalid JSON payload received. Invalid value at 'theColours' (TYPE_STRING)."
        )
    }

    @Test("of a form only the named fields are taken, under their snake_case names")
    func form() throws {
        let form = try #require(FormFields("grant_type=refresh_token&refresh_token=a%2Bb&id_token=x".utf8))
        let fields = Fields(form: form, names: ["grant_type", "refresh_token"])
        #expect(try fields.text("grantType") == "refresh_token")
        #expect(try fields.text("refreshToken") == "a+b")
        #expect(try fields.text("idToken") == nil)
    }
}

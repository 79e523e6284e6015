import Encodings
import Testing

@testable import IdentityToolkit

@Suite struct FieldsTests {
    private func fields(_ text: String) throws -> Fields { try Fields(json: Array(text.utf8)) }

    /// Returns the message with which an operation is refused.
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

    @Test("a body that is not a JSON object is rejected with the protocol's message", arguments: malformed)
    func refusesMalformed(body: String, detail: String) throws {
        let error = #expect(throws: WireError.self) { try fields(body) }
        #expect(error?.message == "Invalid JSON payload received. \(detail)")
        #expect(error?.status.http == 400)
        #expect(error?.status.name == "INVALID_ARGUMENT")
    }

    @Test("a body that is not UTF-8 is rejected")
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

    @Test("a string is read in camelCase or snake_case, and numbers keep their spelling", arguments: texts)
    func text(body: String, text: String?) throws {
        #expect(try fields(body).text("phoneNumber") == text)
    }

    @Test("a value that is not a string is rejected", arguments: ["true", "false", "[]", #"["x"]"#, "{}"])
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

    @Test("a flag is a JSON boolean or its name", arguments: flags)
    func flag(value: String, flag: Bool?) throws {
        #expect(try fields("{\"isNew\":\(value)}").flag("isNew") == flag)
        #expect(try fields("{\"is_new\":\(value)}").flag("isNew") == flag)
    }

    @Test("a value that is not a flag is rejected", arguments: ["1", "0", #""yes""#, #""True""#, "[]", "{}"])
    func wrongFlag(value: String) throws {
        let fields = try fields("{\"isNew\":\(value)}")
        #expect(
            refusal { _ = try fields.flag("isNew") }
                == "Invalid JSON payload received. Invalid value at 'isNew' (TYPE_BOOL)."
        )
    }

    @Test("the fields of an object are read like those of the body")
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

    @Test("an enumeration is read by name or number, and unknown values stay unchanged", arguments: enumerations)
    func readsEnumeration(value: String, name: String?) throws {
        let colors = ["RED", "GREEN", "BLUE"]
        #expect(try fields("{\"theColor\":\(value)}").enumeration("theColor", colors) == name)
        #expect(try fields("{\"the_color\":\(value)}").enumeration("theColor", colors) == name)
    }

    static let lists: [(value: String, texts: [String])] = [
        ("[]", []), ("null", []), (#"["RED"]"#, ["RED"]), (#"["BLUE",1,"x","9"]"#, ["BLUE", "GREEN", "x", "9"]),
    ]

    @Test("a list contains strings, and names of an enumeration by name or number", arguments: lists)
    func readsList(value: String, names: [String]) throws {
        let colors = ["RED", "GREEN", "BLUE"]
        #expect(try fields("{\"theColors\":\(value)}").enumerations("theColors", colors) == names)
        #expect(try fields("{\"the_colors\":\(value)}").enumerations("theColors", colors) == names)
        #expect(try fields("{}").texts("theColors") == nil)
    }

    @Test(
        "a value that is not a list of strings is rejected",
        arguments: [#""x""#, "1", "true", "{}", "[[]]", "[null]", "[true]"]
    )
    func wrongList(value: String) throws {
        let fields = try fields("{\"theColors\":\(value)}")
        #expect(
            refusal { _ = try fields.texts("theColors") }
                == "Invalid JSON payload received. Invalid value at 'theColors' (TYPE_STRING)."
        )
    }

    @Test("only the named fields of a form are read, under their snake_case names")
    func form() throws {
        let form = try #require(FormFields("grant_type=refresh_token&refresh_token=a%2Bb&id_token=x".utf8))
        let fields = Fields(form: form, names: ["grant_type", "refresh_token"])
        #expect(try fields.text("grantType") == "refresh_token")
        #expect(try fields.text("refreshToken") == "a+b")
        #expect(try fields.text("idToken") == nil)
    }
}

import Testing

@testable import Encodings

@Suite struct JSONPathTests {
    private func object(_ json: String) throws -> JSONObject {
        guard case .object(let object) = try JSONValue.parse(Array(json.utf8)) else { return JSONObject() }
        return object
    }

    static let readings: [(path: [String], value: JSONValue?)] = [
        (["a"], .number("1")),
        (["b", "c"], .object(JSONObject(members: [("d", .null)]))),
        (["b", "c", "d"], .null),
        (["b", "x"], nil), (["x"], nil), (["a", "x"], nil),
    ]

    @Test("paths lead to values by member names", arguments: readings)
    func read(path: [String], value: JSONValue?) throws {
        #expect(try object(#"{"a":1,"b":{"c":{"d":null}}}"#)[path: path] == value)
    }

    static let changes: [(before: String, path: [String], value: JSONValue?, after: String)] = [
        ("{}", ["a"], .bool(true), #"{"a":true}"#),
        ("{}", ["a", "b", "c"], .bool(true), #"{"a":{"b":{"c":true}}}"#),
        (#"{"a":{"x":1}}"#, ["a", "b"], .bool(true), #"{"a":{"x":1,"b":true}}"#),
        (#"{"a":{"x":1}}"#, ["a", "x"], .bool(true), #"{"a":{"x":true}}"#),
        (#"{"a":{"x":1}}"#, ["a", "x"], nil, "{}"),
        (#"{"a":{"x":1,"y":2}}"#, ["a", "x"], nil, #"{"a":{"y":2}}"#),
        (#"{"a":{"b":{"c":1}},"d":2}"#, ["a", "b", "c"], nil, #"{"d":2}"#),
        (#"{"a":true}"#, ["a", "x"], nil, #"{"a":true}"#),
        (#"{"a":true}"#, ["a", "x"], .null, #"{"a":{"x":null}}"#),
        (#"{"a":1,"a":2}"#, ["a"], nil, "{}"),
    ]

    @Test("a value is set or removed at a path, and containers that become empty are removed", arguments: changes)
    func change(before: String, path: [String], value: JSONValue?, after: String) throws {
        var changed = try object(before)
        changed[path: path] = value
        #expect(try changed == object(after))
    }
}

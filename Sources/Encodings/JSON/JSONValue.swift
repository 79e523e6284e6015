/// A JSON value as in the document (RFC 8259).
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number as spelled in the document, so that no digit is lost.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// A JSON object, with its members in the document's order.
public struct JSONObject: Sendable, Equatable {
    /// Names and values; names may be repeated.
    public internal(set) var members: [(name: String, value: JSONValue)]

    /// Creates an object from `members`.
    public init(members: [(name: String, value: JSONValue)] = []) {
        self.members = members
    }

    /// Returns the value of `name`. If the name is repeated, the last value counts, as in most parsers.
    public subscript(name: String) -> JSONValue? {
        members.last { $0.name == name }?.value
    }

    /// Returns whether both have the same members in the same order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.elementsEqual(right.members) { $0.name == $1.name && $0.value == $1.value }
    }
}

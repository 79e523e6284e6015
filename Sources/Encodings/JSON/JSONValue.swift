/// A JSON value as it stood in a document (RFC 8259).
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number in the spelling of the document, so that no digit is lost.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// The members of a JSON object in the order of the document.
public struct JSONObject: Sendable, Equatable {
    /// Names and values; a name may stand more than once.
    public internal(set) var members: [(name: String, value: JSONValue)]

    /// Makes an object of `members`.
    public init(members: [(name: String, value: JSONValue)] = []) {
        self.members = members
    }

    /// The value of `name`; the last one where the document repeats it, as most readers do.
    public subscript(name: String) -> JSONValue? {
        members.last { $0.name == name }?.value
    }

    /// Whether both hold the same members in the same order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.elementsEqual(right.members) { $0.name == $1.name && $0.value == $1.value }
    }
}

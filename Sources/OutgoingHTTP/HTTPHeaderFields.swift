public import Encodings

/// The header fields of a request or a response, in order.
public struct HTTPHeaderFields: Sendable, Confidential, ExpressibleByDictionaryLiteral {
    private(set) var fields: [(name: String, value: String)] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list from a dictionary literal.
    public init(dictionaryLiteral fields: (String, String)...) {
        for (name, value) in fields { add(name: name, value: value) }
    }

    /// Appends a field.
    public mutating func add(name: String, value: String) {
        fields.append((name, value))
    }

    /// Returns the value of the first field with this name. Names are case-insensitive (RFC 9110 § 5.1).
    public func first(name: String) -> String? {
        let wanted = name.lowercased()
        return fields.first { $0.name.lowercased() == wanted }?.value
    }
}

public import Encodings

/// The header fields of a request or of an answer, in their order.
public struct HTTPHeaderFields: Sendable, Confidential, ExpressibleByDictionaryLiteral {
    private(set) var fields: [(name: String, value: String)] = []

    /// No fields.
    public init() {}

    /// The fields of a literal.
    public init(dictionaryLiteral fields: (String, String)...) {
        for (name, value) in fields { add(name: name, value: value) }
    }

    /// Adds a field behind the others.
    public mutating func add(name: String, value: String) {
        fields.append((name, value))
    }

    /// Returns the value of the first field with this name, whatever its case (RFC 9110 § 5.1).
    public func first(name: String) -> String? {
        let wanted = name.lowercased()
        return fields.first { $0.name.lowercased() == wanted }?.value
    }
}

public import Redis

/// The fields of a hash, or of a stream entry, in the order in which Redis returned them.
///
/// There are few fields, so a linear search is cheaper than building a dictionary.
public struct HashFields: Sequence, Sendable {
    /// Names and values, alternating.
    private let elements: ArraySlice<Reply>

    /// Wraps alternating names and values. Elements that do not form such a pair are skipped.
    public init(_ elements: ArraySlice<Reply>) {
        self.elements = elements
    }

    /// Returns the value of a field, or nil if the field does not exist.
    public subscript(name: String) -> [UInt8]? {
        var name = name
        return name.withUTF8 { name in
            for index in stride(from: elements.startIndex, to: elements.endIndex - 1, by: 2) {
                if case .bytes(let field) = elements[index], field.count == name.count, field.elementsEqual(name) {
                    return elements[index + 1].bytes
                }
            }
            return nil
        }
    }

    /// Returns the text of a field, or nil if the field does not exist.
    public func text(_ name: String) -> String? { self[name].map { String(decoding: $0, as: UTF8.self) } }

    /// Returns the integer in a field's text, or nil if there is none.
    public func integer(_ name: String) -> Int64? { text(name).flatMap { Int64($0) } }

    /// Iterates over names and values.
    public func makeIterator() -> Iterator { Iterator(elements: elements) }

    /// Yields names and values. A type of its own, because other modules would not specialize an opaque one.
    public struct Iterator: IteratorProtocol {
        fileprivate var elements: ArraySlice<Reply>

        /// Returns the next field.
        public mutating func next() -> (name: String, value: [UInt8])? {
            while elements.count >= 2, let name = elements.popFirst(), let value = elements.popFirst() {
                guard case .bytes(let name) = name, case .bytes(let value) = value else { continue }
                return (String(decoding: name, as: UTF8.self), value)
            }
            return nil
        }
    }

    /// All fields by name.
    public var dictionary: [String: [UInt8]] { Dictionary(map { ($0.name, $0.value) }) { first, _ in first } }

    /// The fields whose values are texts, by name.
    public var texts: [String: String] { dictionary.mapValues { String(decoding: $0, as: UTF8.self) } }

    /// The fields whose values are integers, by name.
    public var integers: [String: Int64] { dictionary.compactMapValues { Int64(String(decoding: $0, as: UTF8.self)) } }
}

internal import Redis

/// The fields of a hash, or of a stream's entry, in the order in which Redis gave them.
///
/// They are few: looking at one after the other takes less than sorting them into a dictionary would.
struct HashFields: Sequence {
    /// Names and values, by turns.
    private let elements: ArraySlice<Reply>

    /// The fields that `elements` name. What is no name with a value is left out.
    init(_ elements: ArraySlice<Reply>) {
        self.elements = elements
    }

    /// The value of a field; nil where there is none of that name.
    subscript(name: String) -> [UInt8]? {
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

    /// The text of a field; nil where there is none of that name.
    func text(_ name: String) -> String? { self[name].map { String(decoding: $0, as: UTF8.self) } }

    /// The number that a field's text spells; nil where there is none.
    func integer(_ name: String) -> Int64? { text(name).flatMap { Int64($0) } }

    func makeIterator() -> some IteratorProtocol<(name: String, value: [UInt8])> {
        stride(from: elements.startIndex, to: elements.endIndex - 1, by: 2).lazy
            .compactMap { index in
                guard case .bytes(let name) = elements[index], case .bytes(let value) = elements[index + 1] else {
                    return nil
                }
                return (String(decoding: name, as: UTF8.self), value)
            }
            .makeIterator()
    }

    /// All of them, by their names.
    var dictionary: [String: [UInt8]] { Dictionary(map { ($0.name, $0.value) }) { first, _ in first } }

    /// Those whose values spell numbers, by their names.
    var integers: [String: Int64] { dictionary.compactMapValues { Int64(String(decoding: $0, as: UTF8.self)) } }
}

internal import Encodings

extension [UInt8] {
    /// Appends text to lines that a worker packs.
    public mutating func append(_ text: String) { append(contentsOf: text.utf8) }

    /// Appends a number in decimal.
    public mutating func append(decimal number: Int64) {
        append(addingCapacity: number.decimalByteCount) { $0.appendDecimal(number) }
    }

    /// Appends text and a line break.
    public mutating func appendLine(_ text: String) {
        append(text)
        append(UInt8(ascii: "\n"))
    }

    /// Appends a number in decimal and a line break.
    public mutating func appendLine(_ number: Int64) {
        append(decimal: number)
        append(UInt8(ascii: "\n"))
    }
}

/// The values of a hash or of a stream entry. Workers pack some of the values into one field, one per line, because
/// each field and each argument of a script costs Redis time.
///
/// A value that is not packed has its own field.
public struct PackedFields: Sendable {
    private let fields: HashFields
    private let packed: [(names: [String], values: [Substring])]

    /// Splits the packed fields that exist. `packed` has the names of their lines. A field's last line may contain line
    /// breaks.
    public init(_ fields: HashFields, packed: KeyValuePairs<String, [String]>) {
        self.fields = fields
        self.packed = packed.compactMap { field, names in
            guard let text = fields.text(field) else { return nil }
            // By bytes, because a carriage return and a line feed form one character.
            let lines = text.utf8.split(
                separator: UInt8(ascii: "\n"),
                maxSplits: names.count - 1,
                omittingEmptySubsequences: false
            )
            return (names, lines.map { Substring($0) })
        }
    }

    /// Returns the text of a value by its name; nil if it does not exist.
    public func text(_ name: String) -> String? {
        for (names, values) in packed {
            if let index = names.firstIndex(of: name), values.indices.contains(index) { return String(values[index]) }
        }
        return fields.text(name)
    }

    /// Returns the text of a value by its name; nil if it does not exist or is empty.
    public func nonEmptyText(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the integer in a value's text, or nil if there is none.
    public func integer(_ name: String) -> Int64? { text(name).flatMap { Int64($0) } }
}

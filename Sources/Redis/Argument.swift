internal import Encodings

/// One argument of a command. Literals of strings and integers are arguments.
public enum Argument: Sendable, Equatable {
    /// Text, sent as UTF-8.
    case text(String)
    /// Any bytes.
    case bytes([UInt8])
    /// A number, sent as decimal digits.
    case integer(Int64)
}

extension Argument: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    /// Creates a ``text(_:)``.
    public init(stringLiteral value: String) { self = .text(value) }

    /// Creates an ``integer(_:)``.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension Argument {
    /// Returns a number of items.
    public static func count(_ value: Int) -> Argument { .integer(Int64(value)) }

    /// Returns `1` or `0`.
    public static func flag(_ value: Bool) -> Argument { .integer(value ? 1 : 0) }

    /// Returns a text with `1` or `0` for each value.
    public static func flags(_ values: [Bool]) -> Argument { .text(values.map { $0 ? "1" : "0" }.joined()) }

    /// Returns a number, or the empty string for nil.
    public static func optional(_ value: Int64?) -> Argument { value.map { .integer($0) } ?? "" }

    /// The length of the value on the wire.
    var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .integer(let number): number.decimalByteCount
        }
    }
}

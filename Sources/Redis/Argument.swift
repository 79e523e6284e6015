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
    /// The length of the value on the wire.
    var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .integer(let number): number.decimalByteCount
        }
    }
}

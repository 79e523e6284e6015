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

/// Arguments that a script receives as one, in MessagePack format, and reads with `cmsgpack.unpack`.
///
/// In units of the floor of `make bench`, each argument of a call costs Redis 0.018, and each value in a packed
/// argument 0.007. Packing pays off for six arguments or more.
extension Argument {
    /// Returns values as one argument.
    public static func packed(_ values: [Argument]) -> Argument {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: values.reduce(0) { $0 + $1.packedByteCount }) { output in
            for value in values { output.appendPacked(value) }
        }
        return .bytes(bytes)
    }

    /// The length of the value with its header.
    fileprivate var packedByteCount: Int { byteCount + Self.headerByteCount(byteCount) }

    fileprivate static func headerByteCount(_ byteCount: Int) -> Int {
        switch byteCount {
        case ...31: 1
        case ...0xFF: 2
        case ...0xFFFF: 3
        default: 5
        }
    }
}

extension NamedValues<Argument> {
    /// Lua that declares the names as local variables with the values of a packed argument, a list as a table.
    public var packedDeclarations: String { "local \(names.joined(separator: ","))=cmsgpack.unpack(ARGV[1]) " }

    /// The length of all values as one argument.
    var packedByteCount: Int {
        let count = elements.reduce(0) { $0 + $1.1.packedByteCount }
        return hasList ? list.reduce(count + 5) { $0 + $1.packedByteCount } : count
    }
}

extension OutputSpan<UInt8> {
    /// Appends all values as one argument.
    mutating func appendPacked(_ values: NamedValues<Argument>) {
        for (_, value) in values.elements { appendPacked(value) }
        guard values.hasList else { return }
        append(0xDD)
        appendBigEndian(UInt32(values.list.count))
        for value in values.list { appendPacked(value) }
    }

    fileprivate mutating func appendPacked(_ value: Argument) {
        let byteCount = UInt32(value.byteCount)
        switch byteCount {
        case ...31: append(0xA0 | UInt8(byteCount))
        case ...0xFF:
            append(0xD9)
            append(UInt8(byteCount))
        case ...0xFFFF:
            append(0xDA)
            appendBigEndian(UInt16(byteCount))
        default:
            append(0xDB)
            appendBigEndian(byteCount)
        }
        appendValue(value)
    }

    private mutating func appendBigEndian<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}

internal import Encodings

/// A scanner that finds the end of a JSON value, byte by byte, without parsing it. The parser validates the JSON later.
struct JSONValueScanner {
    enum Position {
        case inside
        /// The byte was the last one of the value.
        case atEnd
        /// The value ended before the byte.
        case behind
    }

    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private let isNumberOrLiteral: Bool

    /// Starts a value that begins with `first`.
    init(first: UInt8) {
        isNumberOrLiteral = !["{", "[", "\""].contains(UnicodeScalar(first))
        _ = step(first)
    }

    mutating func step(_ byte: UInt8) -> Position {
        if isInString { return stepInString(byte) }
        if isNumberOrLiteral { return Self.endsNumberOrLiteral(byte) ? .behind : .inside }
        switch byte {
        case UInt8(ascii: "\""):
            isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth == 0 { return .atEnd }
        default:
            break
        }
        return .inside
    }

    private mutating func stepInString(_ byte: UInt8) -> Position {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
            if depth == 0 { return .atEnd }
        }
        return .inside
    }

    private static func endsNumberOrLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
        default: byte.isJSONWhiteSpace
        }
    }
}

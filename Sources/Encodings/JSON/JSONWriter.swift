/// A writer of JSON as bytes, directly into one growing buffer.
///
/// ```swift
/// let body = JSONWriter.object { json in
///     json.member("sessionInfo", text)
/// }
/// ```
public struct JSONWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// The length of the longest escape, `\u0000`.
    fileprivate static let longestEscape = 6

    /// Creates an empty document.
    public init(reservingBytes capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// Returns a document that consists of one object with the members that `write` adds.
    public static func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(write)
        return writer.bytes
    }

    /// Adds an object as the next value.
    public mutating func object(_ write: (inout JSONWriter) -> Void) {
        container(open: UInt8(ascii: "{"), close: UInt8(ascii: "}"), write)
    }

    /// Adds an array as the next value.
    public mutating func array(_ write: (inout JSONWriter) -> Void) {
        container(open: UInt8(ascii: "["), close: UInt8(ascii: "]"), write)
    }

    /// Adds the name of the next member; its value must follow.
    public mutating func name(_ name: String) {
        quote(name, isName: true)
        needsComma = false
    }

    /// Adds a string as the next value.
    public mutating func value(_ text: String) {
        quote(text, isName: false)
        needsComma = true
    }

    /// Adds a whole number as the next value.
    public mutating func value(_ number: Int64) {
        separate()
        bytes.append(addingCapacity: number.decimalByteCount) { $0.appendDecimal(number) }
    }

    /// Adds `true` or `false` as the next value.
    public mutating func value(_ flag: Bool) {
        separate()
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// Adds any JSON value as the next value.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(let flag): self.value(flag)
        case .number(let spelling): raw(spelling)
        case .string(let text): self.value(text)
        case .array(let elements):
            array { json in
                for element in elements { json.value(element) }
            }
        case .object(let object):
            self.object { json in
                for (name, value) in object.members { json.member(name, value) }
            }
        }
    }

    /// Adds a member whose value is a string.
    public mutating func member(_ name: String, _ text: String) {
        self.name(name)
        value(text)
    }

    /// Adds a member whose value is a whole number.
    public mutating func member(_ name: String, _ number: Int64) {
        self.name(name)
        value(number)
    }

    /// Adds a member whose value is `true` or `false`.
    public mutating func member(_ name: String, _ flag: Bool) {
        self.name(name)
        value(flag)
    }

    /// Adds a member with any JSON value.
    public mutating func member(_ name: String, _ value: JSONValue) {
        self.name(name)
        self.value(value)
    }

    /// Adds a member whose value is an object.
    public mutating func object(_ name: String, _ write: (inout JSONWriter) -> Void) {
        self.name(name)
        object(write)
    }

    /// Adds a member whose value is an array.
    public mutating func array(_ name: String, _ write: (inout JSONWriter) -> Void) {
        self.name(name)
        array(write)
    }

    /// Adds a line feed, for formats with one document per line.
    public mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func container(open: UInt8, close: UInt8, _ write: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(open)
        needsComma = false
        write(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    /// Adds a string and its separators after a single capacity check: a response and its log line contain about
    /// seventy strings.
    private mutating func quote(_ text: String, isName: Bool) {
        var text = text
        text.withUTF8 { text in
            let needsEscape = Self.needsEscape(text)
            bytes.append(addingCapacity: text.count * (needsEscape ? Self.longestEscape : 1) + 4) { json in
                if needsComma { json.append(UInt8(ascii: ",")) }
                json.append(UInt8(ascii: "\""))
                if needsEscape {
                    for byte in text { json.append(escaping: byte) }
                } else {
                    json.append(copying: text)
                }
                json.append(UInt8(ascii: "\""))
                if isName { json.append(UInt8(ascii: ":")) }
            }
        }
    }

    /// Returns whether the text has a control character, a quotation mark or a backslash. Because tokens are long, the
    /// loop reads eight bytes at a time and has no early exit, so that the compiler can vectorize it.
    private static func needsEscape(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let bytes = UnsafeRawBufferPointer(text)
        let end = bytes.count & ~7
        var marks: UInt64 = 0
        var offset = 0
        while offset < end {
            marks |= marksOfEscaped(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        if marks != 0 { return true }
        return bytes[end...].contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
    }

    /// Marks, in the highest bit of each byte, which of eight bytes must be escaped. A byte above a marked one may be
    /// marked, too: subtracting the limit from each byte sets the highest bit of smaller bytes and may borrow from the
    /// next byte.
    private static func marksOfEscaped(_ word: UInt64) -> UInt64 {
        let each: UInt64 = 0x0101_0101_0101_0101
        func below(_ limit: UInt64, _ word: UInt64) -> UInt64 { (word &- each &* limit) & ~word & (each &* 0x80) }
        let quotationMark = word ^ (each &* UInt64(UInt8(ascii: "\"")))
        let backslash = word ^ (each &* UInt64(UInt8(ascii: "\\")))
        return below(0x20, word) | below(1, quotationMark) | below(1, backslash)
    }
}

extension JSONValue {
    /// The value as a document.
    public var document: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

extension OutputSpan<UInt8> {
    /// Appends one byte of a string, escaped if necessary: up to ``JSONWriter/longestEscape`` bytes.
    fileprivate mutating func append(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            append(UInt8(ascii: "\\"))
            append(byte)
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0..<0x20:
            append("\\u00")
            append(Hexadecimal.digit(byte >> 4))
            append(Hexadecimal.digit(byte & 15))
        default: append(byte)
        }
    }
}

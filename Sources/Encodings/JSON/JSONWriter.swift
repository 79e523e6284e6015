/// Writes JSON as bytes, straight into one growing buffer.
///
/// ```swift
/// let body = JSONWriter.object { json in
///     json.member("sessionInfo", text)
/// }
/// ```
public struct JSONWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// The bytes of `\u0000`.
    fileprivate static let longestEscape = 6

    /// An empty document.
    public init(reservingBytes capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// A document that is one object with the members that `write` adds.
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

    /// Ends the line, where each document has a line of its own.
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

    /// Adds a string and what separates it from its neighbours in one piece: an answer and its line in the log have
    /// some seventy strings.
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

    /// Whether there is a control character, a quotation mark or a backslash. Tokens are long: eight bytes at a time,
    /// and without a way out of the loop, so that the compiler can take several of them at once.
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

    /// Which of eight bytes are to be escaped, in each one's highest bit, though one above such a byte may be marked,
    /// too: taking a limit from each byte sets the highest bit of a byte below it.
    private static func marksOfEscaped(_ word: UInt64) -> UInt64 {
        let each: UInt64 = 0x0101_0101_0101_0101
        func below(_ limit: UInt64, _ word: UInt64) -> UInt64 { (word &- each &* limit) & ~word & (each &* 0x80) }
        let quotationMark = word ^ (each &* UInt64(UInt8(ascii: "\"")))
        let backslash = word ^ (each &* UInt64(UInt8(ascii: "\\")))
        return below(0x20, word) | below(1, quotationMark) | below(1, backslash)
    }
}

extension OutputSpan<UInt8> {
    /// Appends one byte of a string: up to ``JSONWriter/longestEscape`` bytes.
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

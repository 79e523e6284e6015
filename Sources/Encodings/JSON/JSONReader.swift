/// Why a JSON document is rejected. Offsets count bytes from the document's start.
public enum JSONError: Error, Equatable {
    case unexpectedEnd
    case unexpectedByte(offset: Int)
    case invalidUTF8(offset: Int)
    case tooDeep(offset: Int)
}

extension JSONValue {
    /// Parses a whole document.
    ///
    /// Strict RFC 8259: no comments, no trailing commas, no lone surrogates, nothing after the value.
    ///
    /// - Parameters:
    ///   - document: the bytes.
    ///   - maximumDepth: the maximum nesting depth of arrays and objects, which bounds the stack that hostile input can
    ///     use.
    /// - Returns: the document's value.
    /// - Throws: ``JSONError`` with the offset of the first error.
    public static func parse(_ document: [UInt8], maximumDepth: Int = 32) throws(JSONError) -> JSONValue {
        var reader = JSONReader(document: document, maximumDepth: maximumDepth)
        let value = try reader.value(depth: 0)
        try reader.expectEnd()
        return value
    }
}

/// A parser that makes one pass over a document; every read advances `offset`.
private struct JSONReader {
    let document: [UInt8]
    let maximumDepth: Int
    var offset = 0

    init(document: [UInt8], maximumDepth: Int) {
        self.document = document
        self.maximumDepth = maximumDepth
    }

    mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        switch try nextSignificantByte() {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    mutating func expectEnd() throws(JSONError) {
        skipWhiteSpace()
        guard offset == document.count else { throw .unexpectedByte(offset: offset) }
    }

    // MARK: Containers

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        guard depth < maximumDepth else { throw .tooDeep(offset: offset) }
        offset += 1
        var object = JSONObject()
        if try nextSignificantByte() == UInt8(ascii: "}") {
            offset += 1
            return object
        }
        while true {
            guard try nextSignificantByte() == UInt8(ascii: "\"") else { throw .unexpectedByte(offset: offset) }
            let name = try string()
            guard try nextSignificantByte() == UInt8(ascii: ":") else { throw .unexpectedByte(offset: offset) }
            offset += 1
            object.members.append((name, try value(depth: depth + 1)))
            if try endOfContainer(UInt8(ascii: "}")) { return object }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth < maximumDepth else { throw .tooDeep(offset: offset) }
        offset += 1
        var elements: [JSONValue] = []
        if try nextSignificantByte() == UInt8(ascii: "]") {
            offset += 1
            return elements
        }
        while true {
            elements.append(try value(depth: depth + 1))
            if try endOfContainer(UInt8(ascii: "]")) { return elements }
        }
    }

    /// Reads the `,` or the closing byte after an element. Returns true if the container ended.
    private mutating func endOfContainer(_ closing: UInt8) throws(JSONError) -> Bool {
        let byte = try nextSignificantByte()
        guard byte == closing || byte == UInt8(ascii: ",") else { throw .unexpectedByte(offset: offset) }
        offset += 1
        return byte == closing
    }

    // MARK: Scalars

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let length = text.utf8CodeUnitCount
        for index in 0..<length {
            guard offset + index < document.count else { throw .unexpectedEnd }
            guard document[offset + index] == text.utf8Start[index] else {
                throw .unexpectedByte(offset: offset + index)
            }
        }
        offset += length
        return value
    }

    private mutating func number() throws(JSONError) -> String {
        let start = offset
        if peek() == UInt8(ascii: "-") { offset += 1 }
        if peek() == UInt8(ascii: "0") {
            offset += 1
        } else {
            try digits()
        }
        if peek() == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            offset += 1
            if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
        return String(decoding: document[start..<offset], as: UTF8.self)
    }

    private mutating func digits() throws(JSONError) {
        guard let first = peek() else { throw .unexpectedEnd }
        guard first.isASCIIDigit else { throw .unexpectedByte(offset: offset) }
        while let byte = peek(), byte.isASCIIDigit { offset += 1 }
    }

    private mutating func string() throws(JSONError) -> String {
        offset += 1
        let start = offset
        while let byte = peek() {
            if byte == UInt8(ascii: "\"") {
                let text = try text(of: document[start..<offset], startingAt: start)
                offset += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try stringWithEscapes(from: start) }
            guard byte >= 0x20 else { throw .unexpectedByte(offset: offset) }
            offset += 1
        }
        throw .unexpectedEnd
    }

    private mutating func stringWithEscapes(from start: Int) throws(JSONError) -> String {
        var bytes = Array(document[start..<offset])
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""):
                let text = try text(of: bytes[...], startingAt: start)
                offset += 1
                return text
            case UInt8(ascii: "\\"):
                bytes.append(contentsOf: try escape())
            case 0..<0x20:
                throw .unexpectedByte(offset: offset)
            default:
                bytes.append(byte)
                offset += 1
            }
        }
        throw .unexpectedEnd
    }

    private mutating func escape() throws(JSONError) -> [UInt8] {
        let start = offset
        offset += 1
        guard let kind = peek() else { throw .unexpectedEnd }
        offset += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [kind]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try unicodeEscape(startingAt: start)
        default: throw .unexpectedByte(offset: offset - 1)
        }
    }

    private mutating func unicodeEscape(startingAt start: Int) throws(JSONError) -> [UInt8] {
        var units = [try fourHexDigits()]
        if UTF16.isLeadSurrogate(units[0]) {
            guard peek() == UInt8(ascii: "\\"), document.count > offset + 1, document[offset + 1] == UInt8(ascii: "u")
            else { throw .unexpectedByte(offset: start) }
            offset += 2
            units.append(try fourHexDigits())
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw .unexpectedByte(offset: start) }
        return Array(text.utf8)
    }

    private mutating func fourHexDigits() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek() else { throw .unexpectedEnd }
            guard let digit = byte.hexDigitValue else { throw .unexpectedByte(offset: offset) }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }

    private func text(of bytes: ArraySlice<UInt8>, startingAt start: Int) throws(JSONError) -> String {
        guard let text = String(validUTF8: bytes.span) else { throw .invalidUTF8(offset: start) }
        return text
    }

    // MARK: Bytes

    private func peek() -> UInt8? {
        offset < document.count ? document[offset] : nil
    }

    private mutating func skipWhiteSpace() {
        while let byte = peek(), byte.isJSONWhiteSpace { offset += 1 }
    }

    private mutating func nextSignificantByte() throws(JSONError) -> UInt8 {
        skipWhiteSpace()
        guard let byte = peek() else { throw .unexpectedEnd }
        return byte
    }
}

/// A JSON value as in the document (RFC 8259).
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number as spelled in the document, so that no digit is lost.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The text of a string; nil for another value.
    public var text: String? { if case .string(let text) = self { text } else { nil } }
    /// The integer of a number without fraction and exponent; nil for another value.
    public var integer: Int64? { if case .number(let spelling) = self { Int64(spelling) } else { nil } }
    /// The elements of an array; nil for another value.
    public var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    /// The object; nil for another value.
    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
}

/// A JSON object, with its members in the document's order.
public struct JSONObject: Sendable, Equatable {
    /// Names and values; names may be repeated.
    public internal(set) var members: [(name: String, value: JSONValue)]

    /// Creates an object from `members`.
    public init(members: [(name: String, value: JSONValue)] = []) {
        self.members = members
    }

    /// Parses a document; nil if it is not a JSON object.
    public init?(parsing document: [UInt8], maximumDepth: Int = 32) {
        guard case .object(let object) = try? JSONValue.parse(document, maximumDepth: maximumDepth) else { return nil }
        self = object
    }

    /// Returns the value of `name`. If the name is repeated, the last value counts, as in most parsers.
    public subscript(name: String) -> JSONValue? {
        members.last { $0.name == name }?.value
    }

    /// Returns whether both have the same members in the same order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.elementsEqual(right.members) { $0.name == $1.name && $0.value == $1.value }
    }
}

/// Access to nested values by their path of names.
extension JSONObject {
    /// The value at the path; nil if it does not exist.
    public subscript(path path: some Collection<String>) -> JSONValue? {
        get {
            guard let name = path.first else { return .object(self) }
            let rest = path.dropFirst()
            guard !rest.isEmpty else { return self[name] }
            guard case .object(let object) = self[name] else { return nil }
            return object[path: rest]
        }
        set {
            guard let name = path.first else { return }
            let rest = path.dropFirst()
            guard !rest.isEmpty else {
                replace(name, by: newValue)
                return
            }
            var object = JSONObject()
            if case .object(let existing) = self[name] { object = existing } else if newValue == nil { return }
            object[path: rest] = newValue
            // Removes objects that have become empty.
            replace(name, by: object.members.isEmpty ? nil : .object(object))
        }
    }

    private mutating func replace(_ name: String, by value: JSONValue?) {
        if let value, let index = members.lastIndex(where: { $0.name == name }) {
            members[index].value = value
            return
        }
        members.removeAll { $0.name == name }
        if let value { members.append((name, value)) }
    }
}

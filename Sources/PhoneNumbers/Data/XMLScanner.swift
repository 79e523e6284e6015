internal import Encodings

/// A scanner of the part of XML that libphonenumber's metadata use: elements, attributes, text, comments, a document
/// type, and the five entities that XML declares itself.
struct XMLScanner {
    enum Token: Equatable {
        case start(name: String, attributes: [String: String])
        case text(String)
        case end(name: String)
    }

    private let bytes: [UInt8]
    private var place = 0
    /// The end of an element without content, which follows its start.
    private var pendingEnd: String?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the next token; nil at the end.
    mutating func next() throws(NumberingDataError) -> Token? {
        if let name = pendingEnd {
            pendingEnd = nil
            return .end(name: name)
        }
        while place < bytes.count {
            if skip("<!--") {
                _ = try text(until: "-->")
            } else if skip("<?") {
                _ = try text(until: "?>")
            } else if skip("<!DOCTYPE") {
                // The internal subset has declarations of its own, in square brackets.
                if try text(until: ">").contains("[") { _ = try text(until: "]>") }
            } else if skip("</") {
                return .end(name: try text(until: ">").filter { !$0.isWhitespace })
            } else if skip("<") {
                return try start()
            } else {
                let end = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                let raw = String(decoding: bytes[place..<end], as: UTF8.self)
                place = end
                return .text(try Self.resolved(raw))
            }
        }
        return nil
    }

    private mutating func start() throws(NumberingDataError) -> Token {
        // No attribute of the metadata contains a greater-than sign.
        var text = try text(until: ">")[...]
        let isEmpty = text.last == "/"
        if isEmpty { text.removeLast() }
        let name = String(text.prefix { !$0.isWhitespace })
        text = text.dropFirst(name.count).drop(while: \.isWhitespace)
        var attributes: [String: String] = [:]
        while !text.isEmpty {
            guard let equals = text.firstIndex(of: "=") else { throw .malformed(String(text)) }
            let attribute = text[..<equals].trimmed
            text = text[text.index(after: equals)...].drop(while: \.isWhitespace)
            guard let quote = text.popFirst(), quote == "\"" || quote == "'", let end = text.firstIndex(of: quote)
            else {
                throw .malformed(name)
            }
            attributes[String(attribute)] = try Self.resolved(String(text[..<end]))
            text = text[text.index(after: end)...].drop(while: \.isWhitespace)
        }
        if isEmpty { pendingEnd = name }
        return .start(name: name, attributes: attributes)
    }

    private mutating func skip(_ literal: String) -> Bool {
        guard bytes[place...].starts(with: literal.utf8) else { return false }
        place += literal.utf8.count
        return true
    }

    /// Returns the text before a literal, and skips both.
    private mutating func text(until literal: String) throws(NumberingDataError) -> String {
        let start = place
        while place < bytes.count {
            let end = place
            if skip(literal) { return String(decoding: bytes[start..<end], as: UTF8.self) }
            place += 1
        }
        throw .malformed(String(decoding: bytes[start...].prefix(40), as: UTF8.self))
    }

    private static func resolved(_ text: String) throws(NumberingDataError) -> String {
        guard text.contains("&") else { return text }
        let entities: [Substring: String] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        let parts = text.split(separator: "&", omittingEmptySubsequences: false)
        var result = String(parts[0])
        for part in parts.dropFirst() {
            guard let end = part.firstIndex(of: ";"), let character = entities[part[..<end]] else {
                throw .malformed("&\(part.prefix(10))")
            }
            result += character + part[part.index(after: end)...]
        }
        return result
    }
}

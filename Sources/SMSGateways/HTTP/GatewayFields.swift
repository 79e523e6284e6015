internal import Encodings

/// The values in a gateway's response or receipt, in JSON, XML or a form.
struct GatewayFields {
    private enum Document {
        case json(JSONValue)
        case xml(Substring)
        case form(FormFields)
    }

    private let document: Document

    /// Recognizes the format by the first character. Returns nil if the document is malformed.
    init?(_ bytes: [UInt8]) {
        switch bytes.first(where: { !$0.isJSONWhiteSpace }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard let value = try? JSONValue.parse(bytes, maximumDepth: 16) else { return nil }
            document = .json(value)
        case UInt8(ascii: "<"):
            guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
            document = .xml(text[...])
        default:
            guard let form = FormFields(bytes) else { return nil }
            document = .form(form)
        }
    }

    /// Returns the value at a path: a text that is not empty, a number or a flag.
    ///
    /// - Parameter path: names of members or elements, and indexes of arrays, joined by dots: `messages.0.id`. For a
    ///   form, the name of a field.
    subscript(path: String) -> String? {
        let names = path.split(separator: ".")
        let text: String? =
            switch document {
            case .json(let value): Self.text(names.reduce(Optional(value)) { Self.member($1, of: $0) })
            case .xml(let text): names.reduce(Optional(text)) { Self.element($1, in: $0) }.map { String($0) }
            case .form(let form): form[path]
            }
        return text?.isEmpty == false ? text : nil
    }

    private static func member(_ name: Substring, of value: JSONValue?) -> JSONValue? {
        if let elements = value?.elements {
            guard let index = Int(name), elements.indices.contains(index) else { return nil }
            return elements[index]
        }
        return value?.object?[String(name)]
    }

    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text)?, .number(let text)?: text
        case .bool(let flag)?: flag ? "true" : "false"
        case .null?, .array?, .object?, nil: nil
        }
    }

    /// Returns the content of the first element with a name.
    private static func element(_ name: Substring, in text: Substring?) -> Substring? {
        guard var rest = text else { return nil }
        while let tag = rest.firstRange(of: "<\(name)") {
            rest = rest[tag.upperBound...]
            guard let next = rest.first, next == ">" || next.isWhitespace else { continue }
            guard let start = rest.firstIndex(of: ">"), let end = rest[start...].firstRange(of: "</\(name)>") else {
                return nil
            }
            return rest[rest.index(after: start)..<end.lowerBound].trimmed
        }
        return nil
    }
}

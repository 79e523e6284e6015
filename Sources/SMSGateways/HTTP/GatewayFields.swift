internal import Encodings

/// The values in a gateway's response or receipt, in JSON, XML or a form.
struct GatewayFields {
    private enum Document {
        case json(JSONValue)
        case xml(Substring)
        case form(FormFields)
    }

    private let document: Document

    /// Recognizes the format by the first character. Returns nil if the document is malformed, or HTML as from a proxy.
    init?(_ bytes: [UInt8]) {
        switch bytes.first(where: { !$0.isJSONWhiteSpace }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard let value = try? JSONValue.parse(bytes, maximumDepth: 16) else { return nil }
            document = .json(value)
        case UInt8(ascii: "<"):
            guard let text = String(validating: bytes, as: UTF8.self), !text.lowercased().contains("<html") else {
                return nil
            }
            document = .xml(text[...])
        default:
            guard let form = FormFields(bytes) else { return nil }
            document = .form(form)
        }
    }

    /// Returns the value at a path: a text that is not empty, a number or a flag.
    subscript(path: String) -> String? { values(path).first.flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the values at a path; one that is absent is empty.
    ///
    /// A path is names of members or elements, and indexes of arrays, joined by dots: `messages.0.id`. `*` stands for
    /// every index. For a form, it is the name of a field.
    func values(_ path: String) -> [String] {
        let names = path.split(separator: ".")
        switch document {
        case .json(let value):
            return names.reduce([value]) { values, name in values.flatMap { Self.members(name, of: $0) } }
                .map(Self.text)
        case .xml(let text): return [String(names.reduce(text) { Self.element($1, in: $0) })]
        case .form(let form): return [form[path] ?? ""]
        }
    }

    private static func members(_ name: Substring, of value: JSONValue) -> [JSONValue] {
        guard let elements = value.elements else { return [value.object?[String(name)] ?? .null] }
        if name == "*" { return elements }
        guard let index = Int(name), elements.indices.contains(index) else { return [.null] }
        return [elements[index]]
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text), .number(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: ""
        }
    }

    /// Returns the content of the first element with a name; empty if there is none.
    private static func element(_ name: Substring, in text: Substring) -> Substring {
        var rest = text
        while let tag = rest.firstRange(of: "<\(name)") {
            rest = rest[tag.upperBound...]
            guard let next = rest.first, next == ">" || next.isWhitespace else { continue }
            guard let start = rest.firstIndex(of: ">"), let end = rest[start...].firstRange(of: "</\(name)>") else {
                return ""
            }
            return rest[rest.index(after: start)..<end.lowerBound].trimmed
        }
        return ""
    }
}

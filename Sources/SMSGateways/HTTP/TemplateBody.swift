internal import Encodings

/// The body of a request, parsed as its content type before there are values. So values never change its structure,
/// whatever characters they contain.
enum TemplateBody: Sendable {
    case json(JSONTemplate)
    case form([(name: String, value: TemplateText)])
    case xml(TemplateText)

    /// Parses a body.
    init(_ text: String, _ content: HTTPGatewayTemplate.Content) throws(GatewayTemplateError) {
        switch content {
        case .json:
            guard let value = try? JSONValue.parse(Array(text.utf8)) else {
                throw GatewayTemplateError(.body, "not a JSON document")
            }
            self = .json(try JSONTemplate(value))
        case .form:
            guard let form = FormFields(text.utf8) else {
                throw GatewayTemplateError(.body, "not a list of name=value, separated by &")
            }
            var fields: [(name: String, value: TemplateText)] = []
            for (name, value) in form.fields {
                fields.append((PercentEncoding.encode(try Self.literal(name)), try TemplateText(value)))
            }
            self = .form(fields)
        case .xml:
            guard XMLTemplate.isWellFormed(text) else {
                let rule = "not XML with placeholders in texts and in quoted attributes only"
                throw GatewayTemplateError(.body, rule)
            }
            self = .xml(try TemplateText(text))
        }
    }

    /// Returns the name of a field or a member, in which no placeholder would be filled.
    static func literal(_ name: String) throws(GatewayTemplateError) -> String {
        guard let placeholder = try TemplateText(name).placeholders.first else { return name }
        throw GatewayTemplateError(.body, "{\(placeholder)} must not be in a name")
    }

    /// All placeholders.
    var placeholders: [Placeholder] {
        switch self {
        case .json(let template): template.placeholders
        case .form(let fields): fields.flatMap(\.value.placeholders)
        case .xml(let text): text.placeholders
        }
    }

    /// Returns the body. JSON members and form fields whose placeholders have no value are left out.
    func filled(_ values: (Placeholder) -> String?) -> [UInt8] {
        switch self {
        case .json(let template): (template.filled(values) ?? .null).document
        case .form(let fields):
            Array(
                FormFields.encode(fields.compactMap { name, text in text.filledOrAbsent(values).map { (name, $0) } })
                    .utf8
            )
        case .xml(let text): Array(text.filled(values, escape: XMLTemplate.escape).utf8)
        }
    }
}

/// A JSON document whose strings contain placeholders.
indirect enum JSONTemplate: Sendable {
    case text(TemplateText)
    case number(Placeholder)
    case constant(JSONValue)
    case array([JSONTemplate])
    case object([(name: String, value: JSONTemplate)])

    init(_ value: JSONValue) throws(GatewayTemplateError) {
        switch value {
        case .string(let string):
            let text = try TemplateText(string)
            self = text.number.map { .number($0) } ?? .text(text)
        case .array(let elements):
            var templates: [JSONTemplate] = []
            for element in elements { templates.append(try JSONTemplate(element)) }
            self = .array(templates)
        case .object(let object):
            var members: [(name: String, value: JSONTemplate)] = []
            for (name, value) in object.members {
                members.append((try TemplateBody.literal(name), try JSONTemplate(value)))
            }
            self = .object(members)
        case .null, .bool, .number: self = .constant(value)
        }
    }

    var placeholders: [Placeholder] {
        switch self {
        case .text(let text): text.placeholders
        case .number(let placeholder): [placeholder]
        case .constant: []
        case .array(let elements): elements.flatMap(\.placeholders)
        case .object(let members): members.flatMap(\.value.placeholders)
        }
    }

    /// Returns the value; nil if a placeholder of a text has no value, or if nothing is left of an array or an object.
    func filled(_ values: (Placeholder) -> String?) -> JSONValue? {
        switch self {
        case .text(let text): return text.filledOrAbsent(values).map { .string($0) }
        case .number(let placeholder): return values(placeholder).map { .number($0) }
        case .constant(let value): return value
        case .array(let elements):
            let filled = elements.compactMap { $0.filled(values) }
            return filled.isEmpty && !elements.isEmpty ? nil : .array(filled)
        case .object(let members):
            let filled = members.compactMap { name, template in template.filled(values).map { (name: name, value: $0) }
            }
            return filled.isEmpty && !members.isEmpty ? nil : .object(JSONObject(members: filled))
        }
    }
}

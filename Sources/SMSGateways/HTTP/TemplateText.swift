internal import Encodings

/// What a placeholder of a template, such as `{to}`, stands for.
enum Placeholder: String, CaseIterable {
    /// The recipient in E.164 form, and the same without `+`.
    case to, digits
    case text, code, locale, id
    /// The text of a call, and the locale of its voice.
    case speech, voice
    /// `1` if the text is sent as UCS-2, otherwise `0`; the same as `unicode` or `text`.
    case unicode, alphabet
    /// The remaining lifetime of the message in seconds, and its end in UTC (RFC 3339).
    case seconds, expires
    /// The current time since the Unix epoch.
    case milliseconds
    case receiptURL
    /// Settings of the gateway.
    case account, secret, from, template
    /// The language of the template for the recipient.
    case language
}

/// A text with placeholders. Any `{` that does not begin `{letters}` or `{letters:letters}` is literal.
struct TemplateText: Sendable {
    /// How a value is written, in addition to the escaping of the content that contains it.
    enum Form: String {
        /// A JSON number instead of a string: `"{seconds:number}"`.
        case number
        /// The inside of a JSON string, or a text or attribute of XML, for JSON or XML in a value of a form.
        case json, xml
        /// A phone number without `+`.
        case digits
    }

    private enum Piece {
        case literal(String)
        case value(Placeholder, Form?)
    }

    private let pieces: [Piece]

    /// Parses a text, which is a part of a template.
    init(_ text: String, in part: GatewayTemplateError.Part = .body) throws(GatewayTemplateError) {
        var pieces: [Piece] = []
        var rest = text[...]
        var literal = ""
        while let brace = rest.firstIndex(of: "{") {
            literal += rest[..<brace]
            rest = rest[brace...]
            let word = rest.dropFirst().prefix { $0.isASCII && $0.isLetter || $0 == ":" }
            guard !word.isEmpty, rest[word.endIndex...].first == "}" else {
                literal.append(rest.removeFirst())
                continue
            }
            let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let form = parts.count == 2 ? Form(rawValue: parts[1]) : nil
            guard let placeholder = Placeholder(rawValue: parts[0]), (form == nil) == (parts.count == 1),
                form != .number || [.digits, .seconds, .unicode].contains(placeholder)
            else {
                let known = Placeholder.allCases.map { "{\($0)}" }.joined(separator: ", ")
                throw GatewayTemplateError(part, "{\(word)} is not a placeholder; there are \(known)")
            }
            pieces += [.literal(literal), .value(placeholder, form)]
            literal = ""
            rest = rest[word.endIndex...].dropFirst()
        }
        self.pieces = pieces + [.literal(literal + rest)]
    }

    /// The placeholders, in order.
    var placeholders: [Placeholder] {
        pieces.compactMap { piece in if case .value(let placeholder, _) = piece { placeholder } else { nil } }
    }

    /// The text before the first placeholder.
    var start: String { if case .literal(let text)? = pieces.first { text } else { "" } }

    /// The placeholder if the text is a number: nothing but `{placeholder:number}`.
    var number: Placeholder? {
        guard pieces.count == 3, case .literal("") = pieces[0], case .value(let placeholder, .number) = pieces[1],
            case .literal("") = pieces[2]
        else { return nil }
        return placeholder
    }

    /// Returns the text with escaped values in place of the placeholders. A missing value is empty.
    func filled(_ values: (Placeholder) -> String?, escape: (String) -> String = { $0 }) -> String {
        pieces.reduce(into: "") { text, piece in
            switch piece {
            case .literal(let literal): text += literal
            case .value(let placeholder, let form):
                let value = values(placeholder) ?? ""
                switch form {
                case .json: text += escape(Self.insideOfJSONString(value))
                case .xml: text += escape(XMLTemplate.escape(value))
                case .digits: text += escape(String(value.trimmingPrefix("+")))
                case .number, nil: text += escape(value)
                }
            }
        }
    }

    /// Returns the text with values; nil if a placeholder has no value.
    func filledOrAbsent(_ values: (Placeholder) -> String?) -> String? {
        placeholders.allSatisfy { values($0) != nil } ? filled(values) : nil
    }

    private static func insideOfJSONString(_ text: String) -> String {
        String(decoding: JSONValue.string(text).document.dropFirst().dropLast(), as: UTF8.self)
    }
}

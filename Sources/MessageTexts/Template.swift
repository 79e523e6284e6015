/// A text with placeholders in braces, such as `{code}`.
struct Template<Place: TemplatePlace>: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case literal(String)
        case place(Place)
    }

    let parts: [Part]
    let isRightToLeft: Bool

    /// Parses any text; a brace that is not part of a placeholder stays literal.
    init(_ text: String) {
        var parts: [Part] = []
        var rest = text[...]
        var literal = ""
        while let character = rest.first {
            if let (place, after) = Self.place(at: rest) {
                parts += literal.isEmpty ? [.place(place)] : [.literal(literal), .place(place)]
                literal = ""
                rest = after
            } else {
                literal.append(character)
                rest = rest.dropFirst()
            }
        }
        self.parts = literal.isEmpty ? parts : parts + [.literal(literal)]
        self.isRightToLeft = text.unicodeScalars.contains(where: \.isRightToLeft)
    }

    private static func place(at text: Substring) -> (Place, after: Substring)? {
        for place in Place.allCases where text.hasPrefix("{\(place.rawValue)}") {
            return (place, text.dropFirst(place.rawValue.count + 2))
        }
        return nil
    }

    /// Returns the text with its placeholders filled. A value that looks like a placeholder stays literal.
    func filled(literal: (String) -> String = { $0 }, _ value: (Place) -> String) -> String {
        parts.map { part in
            switch part {
            case .literal(let text): literal(text)
            case .place(let place): value(place)
            }
        }.joined()
    }
}

/// The placeholders of a kind of text, by their names.
protocol TemplatePlace: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The app's name.
    static var app: Self { get }
}

extension Template {
    /// Parses and validates an operator's template.
    ///
    /// - Parameters:
    ///   - text: with each placeholder at most once.
    ///   - required: the placeholder that the text must have.
    ///   - hasAppName: whether there is a name for `{app}`.
    ///   - maximumLength: in Unicode code points.
    /// - Throws: the first fault found.
    init(
        override text: String,
        required: Place?,
        hasAppName: Bool,
        maximumLength: Int
    ) throws(TemplateFault) {
        guard text.unicodeScalars.count <= maximumLength else { throw .tooLong(maximumLength) }
        guard !text.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" }) else { throw .controlCharacter }
        self.init(text)
        guard !parts.contains(where: \.hasBrace) else { throw .strayBrace }
        if let required, !parts.contains(.place(required)) { throw .missing(required.rawValue) }
        for place in Place.allCases where parts.count(where: { $0 == .place(place) }) > 1 {
            throw .repeated(place.rawValue)
        }
        guard hasAppName || !parts.contains(.place(.app)) else { throw .appWithoutName }
    }
}

extension Template.Part {
    fileprivate var hasBrace: Bool {
        guard case .literal(let text) = self else { return false }
        return text.unicodeScalars.contains { $0 == "{" || $0 == "}" }
    }
}

/// Why an operator's template is invalid.
public enum TemplateFault: Error, Equatable {
    /// A placeholder does not occur.
    case missing(String)
    /// A placeholder occurs more than once.
    case repeated(String)
    /// `{app}` occurs, but the project has no app name.
    case appWithoutName
    /// A brace that is not part of a placeholder.
    case strayBrace
    /// A control character other than the line feed.
    case controlCharacter
    /// More Unicode code points than this maximum.
    case tooLong(Int)
}

extension TemplateFault: CustomStringConvertible {
    /// The fault, worded as the end of a sentence.
    public var description: String {
        switch self {
        case .missing(let place): "it does not contain {\(place)}"
        case .repeated(let place): "it contains {\(place)} more than once"
        case .appWithoutName: "it contains {app}, but no app name is configured"
        case .strayBrace: "it contains a brace that belongs to no placeholder"
        case .controlCharacter: "it contains a control character other than a line feed"
        case .tooLong(let maximum): "it has more than \(maximum) characters"
        }
    }
}

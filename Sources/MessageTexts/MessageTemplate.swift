internal import DialtoneTexts

/// A text with placeholders for the code (`{code}`) and the app's name (`{app}`).
struct MessageTemplate: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case literal(String)
        case code
        case app
    }

    let parts: [Part]
    private let isRightToLeft: Bool

    /// Parses any text; a brace that is not part of a placeholder stays literal.
    init(_ text: String) {
        var parts: [Part] = []
        var rest = text[...]
        var literal = ""
        while let character = rest.first {
            if let (part, after) = Self.place(at: rest) {
                parts += literal.isEmpty ? [part] : [.literal(literal), part]
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

    private static func place(at text: Substring) -> (Part, after: Substring)? {
        for (place, part) in [("{code}", Part.code), ("{app}", .app)] where text.hasPrefix(place) {
            return (part, text.dropFirst(place.count))
        }
        return nil
    }

    /// Returns the text with its placeholders filled. A name that looks like a placeholder stays literal.
    func filled(code: String, appName: AppName?) -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .code: code
            case .app: appName?.text(inRightToLeftText: isRightToLeft) ?? ""
            }
        }.joined()
    }
}

extension MessageTemplate {
    /// Parses and validates an operator's template.
    ///
    /// - Parameters:
    ///   - text: with `{code}` once and `{app}` at most once.
    ///   - hasAppName: whether there is a name for `{app}`.
    /// - Throws: the first fault found.
    init(override text: String, hasAppName: Bool) throws(TemplateFault) {
        guard text.unicodeScalars.count <= TemplateFault.maximumLength else { throw .tooLong }
        guard !text.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" }) else { throw .controlCharacter }
        self.init(text)
        guard !parts.contains(where: \.hasBrace) else { throw .strayBrace }
        guard parts.contains(.code) else { throw .codeMissing }
        guard parts.count(where: { $0 == .code }) == 1 else { throw .codeRepeated }
        guard parts.count(where: { $0 == .app }) <= 1 else { throw .appRepeated }
        guard hasAppName || !parts.contains(.app) else { throw .appWithoutName }
    }
}

extension MessageTemplate.Part {
    fileprivate var hasBrace: Bool {
        guard case .literal(let text) = self else { return false }
        return text.unicodeScalars.contains { $0 == "{" || $0 == "}" }
    }
}

/// Why an operator's template is invalid.
public enum TemplateFault: Error, Equatable {
    /// `{code}` does not occur.
    case codeMissing
    /// `{code}` occurs more than once.
    case codeRepeated
    /// `{app}` occurs more than once.
    case appRepeated
    /// `{app}` occurs, but the project has no app name.
    case appWithoutName
    /// A brace that is not part of `{code}` or `{app}`.
    case strayBrace
    /// A control character other than the line feed.
    case controlCharacter
    /// More code points than ``maximumLength``.
    case tooLong

    /// The maximum length, in Unicode code points.
    public static let maximumLength = 500
}

extension TemplateFault: CustomStringConvertible {
    /// The fault, worded as the end of a sentence.
    public var description: String {
        switch self {
        case .codeMissing: "it does not contain {code}"
        case .codeRepeated: "it contains {code} more than once"
        case .appRepeated: "it contains {app} more than once"
        case .appWithoutName: "it contains {app}, but no app name is configured"
        case .strayBrace: "it contains a brace that belongs to neither {code} nor {app}"
        case .controlCharacter: "it contains a control character other than a line feed"
        case .tooLong: "it has more than \(Self.maximumLength) characters"
        }
    }
}

/// One language's text in successively shorter forms, for messages whose full form would cost more or is not allowed.
struct MessageForms: Sendable, Hashable {
    let fullest: MessageTemplate
    let shorter: [MessageTemplate]

    /// Uses an operator's template unchanged: in some countries, networks block texts that differ from a registered
    /// wording.
    init(override: MessageTemplate) {
        self.fullest = override
        self.shorter = []
    }

    /// Creates the forms of a built-in wording.
    ///
    /// - Parameters:
    ///   - wording: the wording of one language.
    ///   - hasAppName: whether messages name the app.
    ///   - mayDropName: whether a form without the name is better than a form that is too long.
    init(_ wording: MessageWording, hasAppName: Bool, mayDropName: Bool) {
        self.fullest = MessageTemplate(hasAppName ? wording.named : wording.unnamed)
        var shorter = [hasAppName ? wording.brieflyNamed : wording.brieflyUnnamed]
        if hasAppName, mayDropName { shorter.append(wording.brieflyUnnamed) }
        self.shorter = shorter.map(MessageTemplate.init)
    }
}

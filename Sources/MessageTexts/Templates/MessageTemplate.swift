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

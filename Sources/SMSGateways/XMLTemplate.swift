internal import Encodings

/// XML with placeholders in texts and in quoted attribute values.
enum XMLTemplate {
    /// Returns whether elements nest, and placeholders stand only where values are escaped.
    static func isWellFormed(_ text: String) -> Bool {
        var open: [Substring] = []
        var count = 0
        var rest = text[...].trimmed
        while let start = rest.firstIndex(of: "<") {
            guard !open.isEmpty || rest[..<start].trimmed.isEmpty, let tag = tag(rest[start...].dropFirst()) else {
                return false
            }
            rest = rest[tag.endIndex...].dropFirst()
            if tag.hasPrefix("?") { continue }
            if tag.hasPrefix("/") {
                guard open.popLast() == tag.dropFirst().trimmed else { return false }
                continue
            }
            // Of several roots, all but the first are faulty.
            guard let first = tag.first, first.isLetter || first == "_", !open.isEmpty || count == 0 else {
                return false
            }
            count += 1
            if !tag.hasSuffix("/") { open.append(tag.prefix { !$0.isWhitespace }) }
        }
        return count > 0 && open.isEmpty && rest.trimmed.isEmpty
    }

    /// Returns the tag up to its `>`, which quoted values may contain; nil if it does not end, or if a placeholder is
    /// not quoted.
    private static func tag(_ text: Substring) -> Substring? {
        var quote: Character?
        for index in text.indices {
            let character = text[index]
            if quote != nil {
                if character == quote { quote = nil }
            } else {
                switch character {
                case "\"", "'": quote = character
                case ">": return text[..<index]
                case "{", "<": return nil
                default: break
                }
            }
        }
        return nil
    }

    /// Escapes a value for a text or a quoted attribute (XML 1.0 § 2.4), and replaces what XML cannot contain.
    static func escape(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}

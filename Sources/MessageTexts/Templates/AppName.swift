/// An app's name as shown in messages: 1 to 40 code points on one line, trimmed, without characters that affect the
/// surrounding text.
struct AppName: Sendable, Hashable {
    let text: String

    init(_ text: String) throws(AppNameFault) {
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        let isVisible = scalars.contains { !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint }

        guard !scalars.contains(where: { $0.isControl || $0.properties.isBidiControl }) else { throw .controlCharacter }
        guard isVisible else { throw .empty }
        guard scalars.count <= AppNameFault.maximumLength else { throw .tooLong }
        let name = String(scalars)
        guard !name.contains("://") else { throw .link }
        self.text = name
    }
}

extension Unicode.Scalar {
    /// Whether the character is a control character, or breaks a line or paragraph.
    var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

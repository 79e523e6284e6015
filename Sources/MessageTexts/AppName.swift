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

// The Unicode bidirectional algorithm (UAX #9) keeps a run of digits in order, so the code needs no isolation. A name
// may need it: in an Arabic text, `7-Eleven` is shown as `Eleven-7`, and the exclamation mark of `Yahoo!` moves to its
// other side. An isolate (U+2068 … U+2069) prevents this. It costs two of the 70 units of such a text, and old phones
// show it as two boxes, so it is used only if the order would suffer.
extension AppName {
    /// Returns the name for a text of this direction, isolated if necessary.
    func text(inRightToLeftText isRightToLeft: Bool) -> String {
        let suffers =
            isRightToLeft
            ? !isOneWord && !isRightToLeftThroughout : text.unicodeScalars.contains(where: \.isRightToLeft)
        return suffers ? "\u{2068}\(text)\u{2069}" : text
    }

    /// Whether the name is ASCII that begins with a letter and ends with a letter or digit: the algorithm treats all of
    /// it as one left-to-right run.
    private var isOneWord: Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return true }
        return text.utf8.allSatisfy { $0 < 0x80 } && first.properties.isAlphabetic
            && (last.properties.isAlphabetic || last.properties.numericType != nil)
    }

    private var isRightToLeftThroughout: Bool {
        text.unicodeScalars.allSatisfy { $0.isRightToLeft || $0 == " " }
    }
}

extension Unicode.Scalar {
    /// Whether the character is in a block that is right-to-left by default (Unicode, `DerivedBidiClass.txt`).
    var isRightToLeft: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}

/// Why a text cannot be an app's name in messages.
public enum AppNameFault: Error, Equatable {
    /// No visible characters.
    case empty
    /// More code points than ``maximumLength``.
    case tooLong
    /// A control character, a line break, or a bidirectional control.
    case controlCharacter
    /// It contains `://`. A bare domain such as `example.com` is allowed, because apps do have such names.
    case link

    /// The maximum length, in Unicode code points.
    public static let maximumLength = 40
}

extension AppNameFault: CustomStringConvertible {
    /// One line for the operator, without the name itself.
    public var description: String {
        switch self {
        case .empty: "the app name is empty"
        case .tooLong: "the app name has more than \(Self.maximumLength) characters"
        case .controlCharacter:
            "the app name contains a control character, a line break or a character that changes the text direction"
        case .link: "the app name contains a link (://)"
        }
    }
}

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

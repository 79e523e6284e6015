extension String {
    /// The longest typed code that is read, in bytes: ten full-width characters, with separators and direction marks.
    private static let longestTypedCode = 128

    /// Returns a code as typed, pasted or filled in, in ASCII: without separators, and with the ASCII forms of digits
    /// of any script and of full-width characters. Returns nil if the text is too long for a code.
    ///
    /// `١٢٣ ٤٥٦`, `123-456` and `１２３４５６` are all `123456`. Separators are white space, dashes and invisible characters
    /// such as the direction marks of right-to-left texts. Other characters are kept, so that a text with them is a
    /// wrong code. What is done depends on this text only, never on a secret.
    public func readAsCode() -> String? {
        guard utf8.count <= Self.longestTypedCode else { return nil }
        var code = Self.UnicodeScalarView()
        for scalar in unicodeScalars where !scalar.isSeparatorOfCode {
            switch scalar {
            case "\u{FF01}"..."\u{FF5E}": code.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
            default: code.append(scalar.decimalDigit.map { Unicode.Scalar($0 + UInt8(ascii: "0")) } ?? scalar)
            }
        }
        return String(code)
    }
}

extension Unicode.Scalar {
    /// The value of a decimal digit of any script, such as Arabic or full-width digits; nil for other characters.
    public var decimalDigit: UInt8? {
        if isASCII { return ("0"..."9").contains(self) ? UInt8(value - 0x30) : nil }
        guard properties.numericType == .decimal, let value = properties.numericValue else { return nil }
        return UInt8(value)
    }

    /// Whether people or keyboards put the character between the digits of a code.
    fileprivate var isSeparatorOfCode: Bool {
        if ("0"..."9").contains(self) { return false }
        switch properties.generalCategory {
        // Invisible characters of `format` include the direction marks and the zero-width spaces.
        case .format, .dashPunctuation, .spaceSeparator: return true
        default: return properties.isWhitespace || self == "\u{2212}"
        }
    }
}

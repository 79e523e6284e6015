extension String {
    /// The text, with escapes as in JSON for what ends lines, controls terminals or changes the direction of text.
    package var escapingControls: String {
        let isPrintable = { (byte: UInt8) in 0x20..<0x7F ~= byte }
        if utf8.allSatisfy(isPrintable) { return self }
        var escaped = ""
        for scalar in unicodeScalars {
            if scalar.isControl {
                escaped += "\\u" + String(0x1_0000 + scalar.value, radix: 16).dropFirst()
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension Unicode.Scalar {
    /// Whether the character ends lines, controls terminals or changes the direction of text. All of them have at most
    /// four hexadecimal digits.
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}

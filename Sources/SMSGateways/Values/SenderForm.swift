internal import Encodings

/// The form of a sender: a number, or an alphanumeric name of at most 11 characters (3GPP TS 23.040 § 9.1.2.5).
enum SenderForm {
    case number(digits: String)
    case name(String)

    /// Returns nil if the text is neither.
    init?(_ text: String) {
        let digits = text.hasPrefix("+") ? String(text.dropFirst()) : text
        if digits.isASCIIDigits, (3...15).contains(digits.utf8.count) {
            self = .number(digits: digits)
            return
        }
        let hasLetter = text.utf8.contains(where: \.isASCIILetter)
        let isName = text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || " -_&.".utf8.contains($0) }
        guard (1...11).contains(text.utf8.count), isName, hasLetter else { return nil }
        self = .name(text)
    }
}

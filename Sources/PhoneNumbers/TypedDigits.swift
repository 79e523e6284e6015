internal import Encodings

/// The digits of a phone number that a person is typing, in any form that is dialed in their region.
enum TypedDigits {
    /// The length of the longest accepted form: the 15 digits of E.164 after an international prefix or a superfluous
    /// national prefix.
    static let most = 24

    /// Returns whether the text begins with a plus sign, and its digits.
    ///
    /// - Throws: ``PhoneNumberError/malformed`` for other characters, or ``PhoneNumberError/tooLong``.
    static func read(_ text: String) throws(PhoneNumberError) -> (isInternational: Bool, digits: [UInt8]) {
        guard text.utf8.count <= DialedDigits.longestTextBytes else { throw .malformed }
        var isInternational = false
        var digits: [UInt8] = []
        for scalar in text.unicodeScalars {
            if let digit = scalar.decimalDigit {
                digits.append(digit)
            } else if DialedDigits.isPlus(scalar) {
                guard digits.isEmpty, !isInternational else { throw .malformed }
                isInternational = true
            } else if !DialedDigits.isSeparator(scalar), !DialedDigits.isMargin(scalar) {
                throw .malformed
            }
        }
        guard digits.count <= most else { throw .tooLong }
        return (isInternational, digits)
    }
}

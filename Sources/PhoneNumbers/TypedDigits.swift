/// The digits of a phone number that a person is typing, in any form that is dialed in their region.
enum TypedDigits {
    /// The length of the longest accepted form: the 15 digits of E.164 after an international prefix or a superfluous
    /// national prefix.
    static let most = 24

    /// Returns the plus sign, if there is one, and the digits, in ASCII.
    ///
    /// - Throws: ``PhoneNumberError/malformed`` for other characters, or ``PhoneNumberError/tooLong``.
    static func read(_ text: String) throws(PhoneNumberError) -> String {
        guard text.utf8.count <= DialedDigits.longestTextBytes else { throw .malformed }
        var digits = ""
        for scalar in text.unicodeScalars {
            if let digit = DialedDigits.decimalDigit(scalar) {
                digits.append(String(digit))
            } else if DialedDigits.isPlus(scalar) {
                guard digits.isEmpty else { throw .malformed }
                digits = "+"
            } else if !DialedDigits.isSeparator(scalar), !DialedDigits.isMargin(scalar) {
                throw .malformed
            }
        }
        guard digits.utf8.count <= most else { throw .tooLong }
        return digits
    }
}

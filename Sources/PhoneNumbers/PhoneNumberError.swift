/// Why a text is not a phone number that can be dialed from abroad.
public enum PhoneNumberError: Error, Hashable, Sendable {
    /// Not `+` with digits and the usual separators, or longer than 64 bytes.
    case malformed
    /// No numbering plan has the digits after the `+`.
    case unknownCallingCode
    /// Shorter than any number of its plan, or long enough only for dialing within its own area.
    case tooShort
    /// Longer than the 15 digits of E.164, or than the ten of +1.
    case tooLong
}

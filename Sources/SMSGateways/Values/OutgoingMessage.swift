public import Encodings

/// A text message to send.
public struct OutgoingMessage: Sendable, Confidential {
    /// Dialtone's id of the message, the same for each attempt.
    public let id: MessageID
    /// The recipient, in E.164 form: `+` and 8 to 15 digits.
    public let phoneNumber: String
    /// The whole text.
    public let text: String
    /// Whether the text has characters outside of the GSM 7-bit alphabet (3GPP TS 23.038) and is sent as UCS-2.
    public let needsUnicode: Bool
    /// The remaining lifetime of the code in the message. A gateway should not deliver the message later.
    public let validFor: Duration

    /// Creates a message; nil if `phoneNumber` is not in E.164 form.
    public init?(
        id: MessageID,
        phoneNumber: String,
        text: String,
        needsUnicode: Bool,
        validFor: Duration
    ) {
        let digits = phoneNumber.dropFirst()
        guard phoneNumber.hasPrefix("+"), (8...15).contains(digits.utf8.count), digits.isASCIIDigits else { return nil }
        self.id = id
        self.phoneNumber = phoneNumber
        self.text = text
        self.needsUnicode = needsUnicode
        self.validFor = validFor
    }

    /// Returns ``validFor`` in whole seconds, clamped to the gateway's range.
    func validSeconds(_ range: ClosedRange<Int64>) -> Int64 {
        min(max(validFor.components.seconds, range.lowerBound), range.upperBound)
    }
}

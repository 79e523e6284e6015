public import Encodings

/// One text message, ready to be sent.
public struct OutgoingMessage: Sendable, Confidential {
    /// Ours, the same for each try.
    public let id: MessageID
    /// Whom it is for, in E.164 form: `+` and 8 to 15 digits.
    public let phoneNumber: String
    /// The whole text.
    public let text: String
    /// Whether the text has characters outside the GSM 7-bit alphabet (3GPP TS 23.038), so that it goes out as UCS-2.
    public let needsUnicode: Bool
    /// Who it comes from, in place of the gateway's usual sender: a number or a name.
    public let sender: String?
    /// How long the code in it still lives. A gateway should not deliver it later.
    public let validFor: Duration

    /// Describes a message; nil where `phoneNumber` is not in E.164 form.
    public init?(
        id: MessageID,
        phoneNumber: String,
        text: String,
        needsUnicode: Bool,
        sender: String? = nil,
        validFor: Duration
    ) {
        let digits = phoneNumber.dropFirst()
        guard phoneNumber.hasPrefix("+"), (8...15).contains(digits.utf8.count), digits.isASCIIDigits else { return nil }
        self.id = id
        self.phoneNumber = phoneNumber
        self.text = text
        self.needsUnicode = needsUnicode
        self.sender = sender
        self.validFor = validFor
    }

    /// ``validFor`` in whole seconds, brought within what a gateway takes.
    func validSeconds(_ range: ClosedRange<Int64>) -> Int64 {
        min(max(validFor.components.seconds, range.lowerBound), range.upperBound)
    }
}

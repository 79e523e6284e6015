/// Who Twilio's messages come from: a number, a name or a short code of the account's, or a pool of them.
public struct TwilioSender: Hashable, Sendable {
    let field: String
    let value: String

    /// A number in E.164 form, a short code, or a name of 1 to 11 letters, digits and spaces, one letter at least.
    ///
    /// Twilio: "Messages resource", parameter `From`.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedSender``
    public static func from(_ sender: String) throws(GatewayConfigurationError) -> TwilioSender {
        guard SenderForm(sender) != nil else { throw .malformedSender }
        return TwilioSender(field: "From", value: sender)
    }

    /// A messaging service: `MG` and 32 hexadecimal digits. Twilio chooses one of its senders.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedSender``
    public static func messagingService(_ sid: String) throws(GatewayConfigurationError) -> TwilioSender {
        guard TwilioAccount.isSID(sid, "MG") else { throw .malformedSender }
        return TwilioSender(field: "MessagingServiceSid", value: sid)
    }
}

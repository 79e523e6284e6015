/// The sender of Twilio's messages: a phone number, short code or alphanumeric sender ID of the account, or a messaging
/// service.
public struct TwilioSender: Hashable, Sendable {
    let field: String
    let value: String

    /// Returns a sender for a number in E.164 form, a short code, or an alphanumeric sender ID of 1 to 11 characters
    /// with at least one letter.
    ///
    /// Twilio: "Messages resource", parameter `From`.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedSender``
    public static func from(_ sender: String) throws(GatewayConfigurationError) -> TwilioSender {
        guard SenderForm(sender) != nil else { throw .malformedSender }
        return TwilioSender(field: "From", value: sender)
    }

    /// Returns a sender for a messaging service: `MG` and 32 hexadecimal digits. Twilio chooses one of the service's
    /// senders.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedSender``
    public static func messagingService(_ sid: String) throws(GatewayConfigurationError) -> TwilioSender {
        guard TwilioAccount.isSID(sid, "MG") else { throw .malformedSender }
        return TwilioSender(field: "MessagingServiceSid", value: sid)
    }
}

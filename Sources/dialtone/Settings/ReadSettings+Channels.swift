import Encodings
import SMSGateways

/// The gateways for other channels than text messages.
extension ReadSettings {
    /// Returns the kind of a gateway that calls or sends WhatsApp messages, and its receipt verifier.
    func channelKind(
        _ kind: GatewayValues.Kind,
        _ reader: SettingsReader<GatewayValues>
    ) throws -> (GatewaySettings.Kind, VerifierMaker?) {
        switch kind {
        case .twilioVoice:
            let secret = try reader.required(\.secret)
            let server = try reader.url.map { try GatewayURL($0) } ?? .twilio
            return (
                .twilioVoice(try twilioAccount(reader, secret), caller: try caller(reader), server: server),
                twilioVerifier(reader, secret)
            )
        default:
            guard let template = WhatsAppTemplate(name: try reader.required(\.template), languages: reader.languages)
            else { throw reader.fault(\.template, .isNot("a template's name of lowercase letters, digits and _")) }
            let server = try reader.url.map { try GatewayURL($0) } ?? .whatsApp
            let id = try reader.required(\.account)
            guard id.isASCIIDigits else { throw reader.fault(\.account, .isNot("the id of a phone number: digits")) }
            return (
                .whatsApp(phoneNumberID: id, token: try reader.required(\.secret), template, server: server),
                { () throws(FaultySetting) in
                    WhatsAppReceiptVerifier(secret: try reader.required(\.receiptSecret))
                }
            )
        }
    }

    private func caller(_ reader: SettingsReader<GatewayValues>) throws(FaultySetting) -> String {
        let caller = try reader.required(\.sender)
        guard caller.hasPrefix("+"), caller.dropFirst().isASCIIDigits else {
            throw reader.fault(\.sender, .isNot("a phone number in E.164 form, such as +16505550100"))
        }
        return caller
    }
}

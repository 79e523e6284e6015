import PhoneAuth
import PhoneNumbers
import SMSGateways

/// The settings of a gateway for text messages or mails.
struct GatewayValues: SettingValues {
    enum Kind: String, CaseIterable {
        case twilio
        case vonage
        case twilioVoice = "twilio-voice"
        case whatsApp = "whatsapp"
        case smtp
        case webhook
        case file

        /// Whether gateways of this kind send mails.
        var sendsMails: Bool { [.smtp, .webhook, .file].contains(self) }

        /// How gateways of this kind send.
        var channel: MessageChannel {
            switch self {
            case .twilioVoice: .voice
            case .whatsApp: .whatsapp
            default: .sms
            }
        }

        /// The settings that have an effect for gateways of this kind; the price has one for every kind.
        var settings: [PartialKeyPath<GatewayValues>] {
            switch self {
            case .twilio: [\.account, \.keyID, \.secret, \.sender, \.url, \.receiptTime, \.receiptSecret]
            case .vonage:
                [\.account, \.secret, \.sender, \.url, \.receiptTime, \.receiptSecret, \.receiptProof]
            case .twilioVoice: [\.account, \.keyID, \.secret, \.sender, \.url, \.receiptTime, \.receiptSecret]
            case .whatsApp:
                [\.account, \.secret, \.template, \.languages, \.url, \.receiptTime, \.receiptSecret]
            case .smtp: [\.account, \.secret, \.url]
            case .webhook: [\.secret, \.previousSecret, \.sender, \.url, \.receiptTime]
            case .file: [\.file]
            }
        }
    }

    enum ReceiptProof: String, CaseIterable {
        case signature
        case token
    }

    var kind: Kind?
    var account: String?
    var keyID: String?
    var secret: GatewaySecret?
    var previousSecret: GatewaySecret?
    var sender: String?
    var template: String?
    var languages = ["en_US"]
    var url: String?
    var file: String?
    var receiptTime: Duration?
    var receiptSecret: GatewaySecret?
    var receiptProof = ReceiptProof.signature
    var prices: NumberTable<Money>?

    init(mode: DeploymentMode) {}

    static let examplePrefix = SettingName.gateways
}

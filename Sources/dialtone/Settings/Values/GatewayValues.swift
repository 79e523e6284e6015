import PhoneAuth
import PhoneNumbers
import SMSGateways

/// The settings of a gateway for text messages or mails.
struct GatewayValues: SettingValues {
    enum Kind: String, CaseIterable {
        case twilio
        case vonage
        case smtp
        case webhook
        case file

        /// Whether gateways of this kind send mails.
        var sendsMails: Bool { self != .twilio && self != .vonage }

        /// The settings that have an effect for gateways of this kind; the price has one for every kind.
        var settings: [PartialKeyPath<GatewayValues>] {
            switch self {
            case .twilio: [\.account, \.keyID, \.secret, \.sender, \.url, \.receiptTime, \.receiptSecret]
            case .vonage:
                [\.account, \.secret, \.sender, \.url, \.receiptTime, \.receiptSecret, \.receiptProof]
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
    var url: String?
    var file: String?
    var receiptTime: Duration?
    var receiptSecret: GatewaySecret?
    var receiptProof = ReceiptProof.signature
    var prices: NumberTable<Money>?

    init(mode: DeploymentMode) {}

    static let examplePrefix = SettingName.gateways
}

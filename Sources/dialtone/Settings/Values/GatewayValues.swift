import PhoneAuth
import PhoneNumbers
import SMSGateways

/// The settings of an SMS gateway.
struct GatewayValues: SettingValues {
    enum Kind: String, CaseIterable {
        case twilio
        case vonage
        case webhook
        case file
    }

    enum ReceiptProof: String, CaseIterable {
        case signature
        case token
    }

    var kind: Kind?
    var account: String?
    var keyID: String?
    var secret: GatewaySecret?
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

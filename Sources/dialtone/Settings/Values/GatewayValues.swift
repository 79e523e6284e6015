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
        case http
        // The providers with a template.
        case africastalking
        case aliyun
        case azure
        case bird
        case clicksend
        case gatewayapi
        case infobip
        case msg91
        case plivo
        case sinch
        case sns
        case telegram
        case telnyx
        case vonageVoice = "vonage-voice"

        /// Whether gateways of this kind send mails.
        var sendsMails: Bool { [.smtp, .webhook, .file].contains(self) }

        /// How gateways of this kind send.
        var channel: MessageChannel {
            switch self {
            case .twilioVoice, .vonageVoice: .voice
            case .telegram: .telegram
            case .whatsApp: .whatsapp
            default: .sms
            }
        }

        /// The template of a provider; nil for other kinds.
        var recipe: HTTPGatewayTemplate? {
            switch self {
            case .smtp, .webhook, .file, .http: nil
            case .africastalking: .africasTalking
            case .aliyun: .alibaba
            case .azure: .azure
            case .bird: .bird
            case .clicksend: .clickSend
            case .gatewayapi: .gatewayAPI
            case .infobip: .infobip
            case .msg91: .msg91
            case .plivo: .plivo
            case .sinch: .sinch
            case .sns: .sns
            case .telegram: .telegram
            case .telnyx: .telnyx
            case .twilio: .twilio
            case .twilioVoice: .twilioVoice
            case .vonage: .vonage
            case .vonageVoice: .vonageVoice
            case .whatsApp: .whatsApp
            }
        }

        /// The settings that have an effect for gateways of this kind; the price has one for every kind.
        var settings: [PartialKeyPath<GatewayValues>] {
            switch self {
            case .smtp: [\.account, \.secret, \.url]
            case .webhook: [\.secret, \.previousSecret, \.sender, \.url, \.receiptTime]
            case .file: [\.file]
            case .http:
                [
                    \.account, \.secret, \.sender, \.template, \.languages, \.url, \.method, \.headers, \.content,
                    \.body, \.authentication, \.answerID, \.answerError, \.errors, \.receiptTime, \.receiptSecret,
                    \.receiptState, \.receiptDelivered, \.receiptUndelivered, \.receiptError, \.receiptID,
                ]
            default: recipeSettings
            }
        }

        private var recipeSettings: [PartialKeyPath<GatewayValues>] {
            guard let recipe else { return [] }
            let proofs = recipe.receiptProofs
            return HTTPGatewayTemplate.Need.allCases.filter { recipe.needs($0) }.map(GatewayValues.property(for:))
                + [\.url] + (proofs.signature || proofs.url ? [\.receiptTime, \.receiptSecret] : [])
                + (proofs.signature && proofs.url ? [\.receiptProof] : [])
        }
    }

    /// Returns the setting that a template may need.
    static func property(for need: HTTPGatewayTemplate.Need) -> PartialKeyPath<GatewayValues> {
        switch need {
        case .account: \.account
        case .secret: \.secret
        case .sender: \.sender
        case .template: \.template
        case .languages: \.languages
        case .key: \.keyFile
        case .keyID: \.keyID
        }
    }

    enum ReceiptProof: String, CaseIterable {
        case signature
        case token
    }

    var kind: Kind?
    var account: String?
    var keyID: String?
    var keyFile: String?
    var secret: GatewaySecret?
    var previousSecret: GatewaySecret?
    var sender: String?
    var template: String?
    var languages = ["en_US"]
    var url: String?
    var method = HTTPGatewayTemplate.Method.post
    var headers: String?
    var content = HTTPGatewayTemplate.Content.json
    var body: String?
    var authentication: GatewayAuthentication?
    var answerID: String?
    var answerError: String?
    var errors: String?
    var file: String?
    var receiptTime: Duration?
    var receiptSecret: GatewaySecret?
    var receiptProof = ReceiptProof.signature
    var receiptState: String?
    var receiptDelivered: String?
    var receiptUndelivered: String?
    var receiptError: String?
    var receiptID: String?
    var prices: NumberTable<Money>?

    init(mode: DeploymentMode) {}

    static let examplePrefix = SettingName.gateways
}

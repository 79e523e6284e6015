import IdentityToolkit
import PhoneAuth
import PhoneNumbers
import SMSGateways

/// The settings of the SMS gateways.
struct GatewaySettings {
    /// One gateway.
    struct Gateway {
        let name: GatewayName
        let kind: Kind
        /// The price of a message; nil if not configured.
        let prices: NumberTable<Money>?
        /// Nil if the gateway sends no delivery receipts.
        let receipts: Receipts?
    }

    enum Kind {
        case twilio(TwilioAccount, TwilioSender, server: GatewayURL)
        case vonage(VonageAccount, VonageReceiptProof?, server: GatewayURL)
        case webhook(address: GatewayURL, WebhookKey, previousKey: WebhookKey?, sender: String?)
        case file(path: String)
    }

    struct Receipts {
        /// The URL to which the gateway posts receipts.
        let address: GatewayURL
        /// The time to wait for a receipt.
        let time: Duration
        let verifier: any ReceiptVerifier
    }

    let gateways: [Gateway]
    /// Nil if there are no gateways.
    let routes: GatewayRoutes?
    /// A PEM file of certificates to trust instead of the system's certificate authorities.
    let trustFile: String?

    /// The gateways' verifiers of delivery receipts.
    var receiptSources: ReceiptSources {
        ReceiptSources(
            gateways.compactMap { gateway in
                gateway.receipts.map { .init(gateway: gateway.name, address: $0.address, verifier: $0.verifier) }
            }
        )
    }
}

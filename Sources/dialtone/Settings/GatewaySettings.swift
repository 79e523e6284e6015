import IdentityToolkit
import PhoneAuth
import PhoneNumbers
import SMSGateways

/// What the settings say of the SMS gateways.
struct GatewaySettings {
    /// One gateway.
    struct Gateway {
        let name: GatewayName
        let kind: Kind
        /// What it asks for a message; nil where that is not said.
        let prices: NumberTable<Money>?
        /// nil where it does not report deliveries.
        let receipts: Receipts?
    }

    enum Kind {
        case twilio(TwilioAccount, TwilioSender, server: GatewayURL)
        case vonage(VonageAccount, VonageReceiptProof?, server: GatewayURL)
        case webhook(address: GatewayURL, WebhookKey)
        case file(path: String)
    }

    struct Receipts {
        /// Where the gateway posts them.
        let address: GatewayURL
        /// How long to wait for one.
        let time: Duration
        let verifier: any ReceiptVerifier
    }

    let gateways: [Gateway]
    /// nil where there are no gateways.
    let routes: GatewayRoutes?
    /// PEM file of the certificates to trust instead of the system's.
    let trustFile: String?

    /// What tells gateways' receipts from others'.
    var receiptSources: ReceiptSources {
        ReceiptSources(
            gateways.compactMap { gateway in
                gateway.receipts.map { .init(gateway: gateway.name, address: $0.address, verifier: $0.verifier) }
            }
        )
    }
}

public import SMSGateways

/// The SMS gateways that send delivery receipts, and how their receipts are authenticated.
public struct ReceiptSources: Sendable {
    /// One gateway.
    public struct Source: Sendable {
        let gateway: GatewayName
        let address: GatewayURL
        let verifier: any ReceiptVerifier

        /// - Parameters:
        ///   - gateway: its name, the last part of the receipt URL.
        ///   - address: the receipt URL as configured at the gateway.
        ///   - verifier: authenticates the gateway's receipts.
        public init(gateway: GatewayName, address: GatewayURL, verifier: any ReceiptVerifier) {
            self.gateway = gateway
            self.address = address
            self.verifier = verifier
        }
    }

    private let sources: [String: Source]

    /// Creates the list of sources.
    public init(_ sources: [Source]) {
        self.sources = Dictionary(sources.map { ($0.gateway.text, $0) }) { first, _ in first }
    }

    func source(_ gateway: String) -> Source? { sources[gateway] }
}

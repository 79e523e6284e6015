internal import FastCGI
internal import PhoneAuth
public import SMSGateways

extension IdentityToolkitHandler {
    /// `POST /dialtone/v1/receipts/{gateway}`: a gateway's delivery receipt.
    ///
    /// Only the signature authenticates the sender. The response is the same whether or not the message exists.
    static func deliveryReceipt(
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        let gateway = record.pathParameter
        guard let source = api.receiptSources.source(gateway) else { throw .notFound }
        let receipt = try receiptRequest(request, source)
        if let confirmation = source.verifier.confirmation(of: receipt) {
            return Response(status: 200, headers: [("Content-Type", "text/plain")], body: Array(confirmation.utf8))
        }
        let receipts: [DeliveryReceipt]
        do {
            receipts = try source.verifier.receipts(in: receipt, at: api.authenticator.environment.now())
        } catch {
            switch error {
            case .forged, .tooOld: throw .forbidden(logDetail: "the receipt is \(error.rawValue)")
            case .malformed: throw .code(.invalidArgument, "The receipt is malformed.")
            }
        }
        record.reason = receipts.count == 1 ? "\(receipts[0].state)" : "\(receipts.count) receipts"
        let news = receipts.filter { $0.state != .pending }
        guard !news.isEmpty else { return Response(status: 204) }
        try StoreUnavailable.onWire(api.authenticator.checkDeployment())
        for receipt in news {
            let followUp = try StoreUnavailable.onWire(
                api.authenticator.followUp(
                    receipt.message.text,
                    isDelivered: receipt.state == .delivered,
                    reportedBy: gateway
                )
            )
            record.detail = "\(gateway): \(followUp)"
        }
        return Response(status: 204)
    }

    private static func receiptRequest(
        _ request: borrowing Request,
        _ source: ReceiptSources.Source
    ) throws(WireError) -> ReceiptRequest {
        let query = request.query
        let headers = [
            "x-twilio-signature": request.parameter("HTTP_X_TWILIO_SIGNATURE"),
            "dialtone-signature": request.parameter("HTTP_DIALTONE_SIGNATURE"),
            "x-hub-signature-256": request.parameter("HTTP_X_HUB_SIGNATURE_256"),
            "content-type": request.parameter("CONTENT_TYPE"), "authorization": request.parameter("HTTP_AUTHORIZATION"),
        ]
        return ReceiptRequest(
            url: query.isEmpty ? source.address.text : "\(source.address.text)?\(query)",
            body: try request.bodyBytes(),
            header: { headers[$0] ?? nil }
        )
    }
}

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

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
        guard let source = api.receiptSources[gateway] else { throw .notFound }
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
        _ source: ReceiptSource
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

/// How a gateway's delivery receipts are verified: the receipt URL as configured at the gateway, and the verifier.
public typealias ReceiptSource = (address: GatewayURL, verifier: any ReceiptVerifier)

public import Encodings

/// A verifier for receipts of the operator's own gateway: `{"id", "state", "code"?}`, signed as described in
/// ``WebhookSignature``.
///
/// The message id is in the body, because the signature covers only the body.
public struct WebhookReceiptVerifier: ReceiptVerifier {
    private let keys: [WebhookKey]

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - key: the gateway's signing key.
    ///   - previousKey: the previous key, accepted during key rotation.
    public init(key: WebhookKey, previousKey: WebhookKey? = nil) {
        keys = [key] + (previousKey.map { [$0] } ?? [])
    }

    /// Verifies and parses a receipt; see ``ReceiptVerifier/verify(_:at:)``.
    public func verify(_ request: ReceiptRequest, at now: Instant) throws(ReceiptRefusal) -> DeliveryReceipt {
        let signature = request.header(WebhookSignature.headerName.lowercased())
        try WebhookSignature.verify(signature, for: request.body, at: now, keys: keys)
        // Dialtone's own requests have no `state`, so they cannot be reflected as receipts.
        guard let object = JSONObject(parsing: request.body, maximumDepth: 4),
            let message = object["id"]?.text.flatMap({ MessageID($0) }), let state = object["state"]?.text
        else { throw .malformed }
        return DeliveryReceipt(message: message, state: Self.state(state, object.code("code")))
    }

    private static func state(_ state: String, _ code: GatewayCode?) -> DeliveryReceipt.State {
        switch state {
        case "delivered": .delivered
        case "undelivered": .undelivered(code)
        default: .pending
        }
    }
}

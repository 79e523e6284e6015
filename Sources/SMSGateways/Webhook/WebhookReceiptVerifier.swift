internal import Encodings

/// Reads the receipts of an operator's own gateway: `{"id", "state", "code"?, "messageId"?}`, signed as ``WebhookSignature`` says.
///
/// The id stands in the body, because that is what the signature covers.
public struct WebhookReceiptVerifier: ReceiptVerifier {
    private let keys: [WebhookKey]

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - key: what the gateway signs with.
    ///   - previousKey: what it may still sign with while the key is being changed.
    public init(key: WebhookKey, previousKey: WebhookKey? = nil) {
        keys = [key] + (previousKey.map { [$0] } ?? [])
    }

    /// Checks a receipt and reads it; see ``ReceiptVerifier/verify(_:at:)``.
    ///
    /// - Parameters:
    ///   - request: the receipt as it came.
    ///   - now: the time, against which the signature's is held.
    /// - Returns: what it says.
    /// - Throws: ``ReceiptRefusal``
    public func verify(_ request: ReceiptRequest, at now: UnixTime) throws(ReceiptRefusal) -> DeliveryReceipt {
        let signature = request.header(WebhookSignature.headerName.lowercased())
        try WebhookSignature.verify(signature, for: request.body, at: now, keys: keys)
        // What Dialtone posted itself has no state: it cannot come back as a receipt.
        guard case .object(let object)? = try? JSONValue.parse(request.body, maximumDepth: 4),
            let message = object.text("id").flatMap({ MessageID($0) }), let state = object.text("state")
        else { throw .malformed }
        return DeliveryReceipt(
            message: message,
            gatewayMessage: object.text("messageId").flatMap { GatewayMessageID($0) },
            state: Self.state(state, object.code("code"))
        )
    }

    private static func state(_ state: String, _ code: GatewayCode?) -> DeliveryReceipt.State {
        switch state {
        case "delivered": .delivered
        case "undelivered": .undelivered(code)
        default: .pending
        }
    }
}

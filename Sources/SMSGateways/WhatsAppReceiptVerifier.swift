internal import Cryptography
public import Encodings

/// A verifier for the Cloud API's webhooks, which carry the statuses of many messages.
///
/// Meta: "Webhooks", sections "Verification requests" and "Validating payloads"; "messages webhook", `statuses`. The
/// header field `X-Hub-Signature-256` is an HMAC-SHA256 of the body under the app's secret. It has no timestamp, so a
/// replayed receipt cannot be detected.
public struct WhatsAppReceiptVerifier: ReceiptVerifier {
    private let secret: GatewaySecret

    /// Creates a verifier.
    ///
    /// - Parameter secret: the secret of the app that gets the webhooks.
    public init(secret: GatewaySecret) {
        self.secret = secret
    }

    /// Verifies and parses a receipt of one message; see ``ReceiptVerifier/verify(_:at:)``.
    public func verify(_ request: ReceiptRequest, at now: Instant) throws(ReceiptRefusal) -> DeliveryReceipt {
        guard let receipt = try receipts(in: request, at: now).first else { throw .malformed }
        return receipt
    }

    /// Verifies and parses the receipts in a webhook. Webhooks about anything else have none.
    public func receipts(in request: ReceiptRequest, at now: Instant) throws(ReceiptRefusal) -> [DeliveryReceipt] {
        guard let text = request.header("x-hub-signature-256"), text.hasPrefix("sha256="),
            let signature = Hexadecimal.decode(text.dropFirst(7)),
            // Compares in constant time.
            HMAC.isValidAuthenticationCode(signature, .sha256, for: request.body, key: secret.bytes)
        else { throw .forged }
        guard let object = JSONObject(parsing: request.body, maximumDepth: 12) else { throw .malformed }
        func elements(_ name: String, of objects: [JSONObject]) -> [JSONObject] {
            objects.flatMap { $0[name]?.elements ?? [] }.compactMap(\.object)
        }
        let values = elements("changes", of: elements("entry", of: [object])).compactMap { $0["value"]?.object }
        return elements("statuses", of: values).compactMap { status in
            guard let id = status["biz_opaque_callback_data"]?.text.flatMap({ MessageID($0) }) else { return nil }
            let code = status["errors"]?.elements?.first?.object?.code("code")
            return DeliveryReceipt(message: id, state: Self.state(status["status"]?.text, code))
        }
    }

    /// Returns the challenge of the request by which Meta checks who controls the URL. It has no secret, and anyone
    /// else who registers the URL at Meta cannot sign webhooks.
    public func confirmation(of request: ReceiptRequest) -> String? {
        guard request.body.isEmpty, let query = FormFields(request.query.utf8), query["hub.mode"] == "subscribe",
            let challenge = query["hub.challenge"], (1...100).contains(challenge.utf8.count),
            challenge.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit })
        else { return nil }
        return challenge
    }

    private static func state(_ status: String?, _ code: GatewayCode?) -> DeliveryReceipt.State {
        switch status {
        case "delivered", "read": .delivered
        case "failed": .undelivered(code)
        default: .pending
        }
    }
}

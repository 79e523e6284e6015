public import Encodings

/// Sends through a server of the operator's own: JSON over HTTPS, signed, so that anything can be attached.
///
/// <doc:Webhooks> describes request, answers and receipts to those who write such a server.
public struct WebhookGateway: SMSGateway, Confidential {
    /// What routes, logs and receipt addresses call it.
    public let name: GatewayName
    private let address: GatewayURL
    private let key: WebhookKey
    private let receipts: GatewayURL?
    private let client: GatewayHTTPClient
    private let now: @Sendable () -> UnixTime

    /// Sets up a gateway.
    ///
    /// - Parameters:
    ///   - name: what routes call it.
    ///   - address: where messages are posted; ``GatewayURL/allowingLoopback(_:)`` for a server on the same machine.
    ///   - key: what signs messages, and receipts.
    ///   - receipts: where the server posts receipts; nil for none.
    ///   - client: the connections.
    ///   - now: the time, which signatures carry.
    public init(
        name: GatewayName,
        address: GatewayURL,
        key: WebhookKey,
        receipts: GatewayURL? = nil,
        client: GatewayHTTPClient,
        now: @escaping @Sendable () -> UnixTime = UnixTime.system
    ) {
        self.name = name
        self.address = address
        self.key = key
        self.receipts = receipts
        self.client = client
        self.now = now
    }

    /// Hands a message over.
    ///
    /// - Parameter message: what to send to whom.
    /// - Returns: what became of it.
    public func send(_ message: OutgoingMessage) async -> GatewayOutcome {
        let body = body(of: message)
        let request = GatewayRequest(
            url: address.text,
            contentType: "application/json",
            body: body,
            headers: [
                (WebhookSignature.headerName, WebhookSignature.value(for: body, at: now(), key: key)),
                ("Idempotency-Key", message.id.text),
            ]
        )
        do throws(ExchangeFailure) {
            let answer = try await client.post(request)
            guard answer.isSuccess else { return GatewayOutcome(failed: answer) }
            return .accepted(answer.object?.text("messageId").flatMap { GatewayMessageID($0) })
        } catch {
            return GatewayOutcome(error)
        }
    }

    private func body(of message: OutgoingMessage) -> [UInt8] {
        JSONWriter.object { json in
            json.member("id", message.id.text)
            json.member("to", message.phoneNumber)
            json.member("text", message.text)
            json.member("isUnicode", message.needsUnicode)
            json.member("validForSeconds", max(0, message.validFor.components.seconds))
            if let sender = message.sender { json.member("from", sender) }
            if let receipts { json.member("receiptURL", receipts.text) }
        }
    }
}

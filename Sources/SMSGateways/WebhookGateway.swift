internal import OutgoingHTTP
public import Encodings

/// A gateway that sends through the operator's own server: signed JSON over HTTPS, so that any service can be
/// connected.
///
/// <doc:Webhooks> documents requests, responses and receipts for authors of such servers.
public struct WebhookGateway<Message: GatewayMessage>: Gateway, Confidential {
    /// The gateway's name in routes, logs and receipt URLs.
    public let name: GatewayName
    private let address: GatewayURL
    private let keys: [WebhookKey]
    private let sender: String?
    private let receipts: GatewayURL?
    private let client: GatewayHTTPClient
    private let now: @Sendable () -> Instant

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - name: the gateway's name in routes.
    ///   - address: the URL to which messages are posted.
    ///   - key: the key that signs messages and receipts.
    ///   - previousKey: the previous key, which also signs messages during key rotation.
    ///   - sender: the sender of text messages that the server receives; nil if it chooses one itself.
    ///   - receipts: the URL to which the server posts receipts; nil for no receipts.
    ///   - client: the HTTP client.
    ///   - now: the clock for signature timestamps.
    public init(
        name: GatewayName,
        address: GatewayURL,
        key: WebhookKey,
        previousKey: WebhookKey? = nil,
        sender: String? = nil,
        receipts: GatewayURL? = nil,
        client: GatewayHTTPClient,
        now: @escaping @Sendable () -> Instant = Instant.system
    ) {
        self.name = name
        self.address = address
        keys = [key] + (previousKey.map { [$0] } ?? [])
        self.sender = sender
        self.receipts = receipts
        self.client = client
        self.now = now
    }

    /// Sends a message.
    ///
    /// - Parameter message: the message to send.
    /// - Returns: the outcome.
    public func send(_ message: Message) async -> GatewayOutcome {
        let body = body(of: message)
        let request = GatewayRequest(
            url: address.text,
            contentType: "application/json",
            body: body,
            headers: [
                (WebhookSignature.headerName, WebhookSignature.value(for: body, at: now(), keys: keys)),
                ("Idempotency-Key", message.id.text),
            ]
        )
        do throws(RequestFailure) {
            let answer = try await client.send(request)
            guard answer.isSuccess else { return GatewayOutcome(failed: answer) }
            return .accepted(answer.object?["messageId"]?.text.flatMap { GatewayMessageID($0) })
        } catch {
            return GatewayOutcome(error)
        }
    }

    /// Requests the root of the server. Any response shows that it is reached, and none would say more.
    public func check() async -> GatewayOutcome? {
        do throws(RequestFailure) {
            _ = try await client.send(GatewayRequest(url: address.description + "/"))
            return nil
        } catch {
            return GatewayOutcome(error)
        }
    }

    private func body(of message: Message) -> [UInt8] {
        JSONWriter.object { json in
            json.member("id", message.id.text)
            message.write(to: &json)
            if let sender { json.member("from", sender) }
            if let receipts { json.member("receiptURL", receipts.text) }
        }
    }
}

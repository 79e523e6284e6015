public import Encodings

/// Sends through Vonage: `POST /sms/json`.
///
/// Vonage: "SMS API". It has no idempotency key: a message whose answer was lost may be sent twice.
public struct VonageGateway: SMSGateway, Confidential {
    /// What the parameter `ttl` may be, in seconds here and in milliseconds there.
    private static let lifeSeconds: ClosedRange<Int64> = 20...604_800
    /// How long the parameter `callback` may be.
    private static let maximumCallbackBytes = 100

    /// What routes, logs and receipt addresses call it.
    public let name: GatewayName
    private let url: String
    private let account: VonageAccount
    private let callback: String?
    private let client: GatewayHTTPClient

    /// Sets up a gateway.
    ///
    /// - Parameters:
    ///   - name: what routes call it.
    ///   - account: whose messages, and who they come from unless a message names another sender.
    ///   - receipts: where Vonage sends receipts, and how they are known; nil for none.
    ///   - server: another server than Vonage's own, for a region or a test.
    ///   - client: the connections.
    /// - Throws: ``GatewayConfigurationError/receiptAddressTooLong``
    public init(
        name: GatewayName,
        account: VonageAccount,
        receipts: (address: GatewayURL, proof: VonageReceiptProof)? = nil,
        server: GatewayURL = .vonage,
        client: GatewayHTTPClient
    ) throws(GatewayConfigurationError) {
        url = server.appending(path: "/sms/json")
        callback = receipts.map { receipts in
            switch receipts.proof {
            case .signature: receipts.address.text
            case .token(let token): receipts.address.appending(field: VonageReceiptVerifier.tokenField, token.text)
            }
        }
        guard (callback?.utf8.count ?? 0) <= Self.maximumCallbackBytes else { throw .receiptAddressTooLong }
        self.name = name
        self.account = account
        self.client = client
    }

    /// Hands a message over.
    ///
    /// - Parameter message: what to send to whom.
    /// - Returns: what became of it.
    public func send(_ message: OutgoingMessage) async -> GatewayOutcome {
        let request = GatewayRequest(
            url: url,
            contentType: FormFields.mediaType,
            body: Array(FormFields.encode(fields(of: message)).utf8)
        )
        do throws(ExchangeFailure) {
            return outcome(try await client.post(request))
        } catch {
            return GatewayOutcome(error)
        }
    }

    private func fields(of message: OutgoingMessage) -> [(name: String, value: String)] {
        let sender = message.sender.flatMap(VonageAccount.wireForm) ?? account.sender
        var fields = [
            ("api_key", account.key), ("api_secret", account.secret.text), ("from", sender),
            ("to", String(message.phoneNumber.dropFirst())), ("text", message.text),
            ("type", message.needsUnicode ? "unicode" : "text"),
            ("ttl", String(message.validSeconds(Self.lifeSeconds) * 1000)),
            // It comes back in the receipt. A field in the address would be outside of what Vonage signs for sure.
            ("client-ref", message.id.text),
        ]
        if let callback { fields += [("status-report-req", "1"), ("callback", callback)] }
        return fields
    }

    /// An answer names each part of the message; one that is sent in parts and not as a whole is of no use to anybody.
    private func outcome(_ answer: GatewayAnswer) -> GatewayOutcome {
        guard answer.isSuccess else {
            guard answer.status != 404 else {
                return .misconfigured(GatewayMisconfiguration(.addressUnknown, GatewayCode(404)))
            }
            return GatewayOutcome(failed: answer)
        }
        guard case .array(let elements)? = answer.object?["messages"] else { return malformed(answer) }
        let parts = elements.compactMap { element -> JSONObject? in
            guard case .object(let part) = element else { return nil }
            return part
        }
        let statuses = parts.compactMap { $0.code("status") }
        guard let first = statuses.first, statuses.count == elements.count else { return malformed(answer) }
        if statuses.allSatisfy({ $0.value == 0 }) {
            return .accepted(parts.first?.text("message-id").flatMap { GatewayMessageID($0) })
        }
        guard statuses.allSatisfy({ $0.value != 0 }) else { return malformed(answer) }
        return VonageStatus.outcome(first, answer.retryAfter)
    }

    private func malformed(_ answer: GatewayAnswer) -> GatewayOutcome {
        .uncertain(GatewayTrouble(.malformedAnswer, GatewayCode(answer.status)))
    }
}

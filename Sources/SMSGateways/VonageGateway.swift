internal import OutgoingHTTP
public import Encodings

/// A gateway that sends through Vonage: `POST /sms/json`.
///
/// Vonage: "SMS API". The API has no idempotency key: if a response is lost, a retry may send a second message.
public struct VonageGateway: Gateway, Confidential {
    /// The range of the parameter `ttl`, in seconds. The API expects milliseconds.
    private static let lifeSeconds: ClosedRange<Int64> = 20...604_800
    /// The maximum length of the parameter `callback`.
    private static let maximumCallbackBytes = 100

    /// The gateway's name in routes, logs and receipt URLs.
    public let name: GatewayName
    private let url: String
    private let balanceURL: String
    private let account: VonageAccount
    private let callback: String?
    private let client: GatewayHTTPClient

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - name: the gateway's name in routes.
    ///   - account: the account, its credentials and its sender.
    ///   - receipts: the URL to which Vonage sends receipts, and how they are authenticated; nil for no receipts.
    ///   - server: the API's base URL; override the default for another region or a test.
    ///   - client: the HTTP client.
    /// - Throws: ``VonageReceiptURLTooLong``
    public init(
        name: GatewayName,
        account: VonageAccount,
        receipts: (address: GatewayURL, proof: VonageReceiptProof)? = nil,
        server: GatewayURL = .vonage,
        client: GatewayHTTPClient
    ) throws(VonageReceiptURLTooLong) {
        url = server.appending(path: "/sms/json")
        balanceURL = server.appending(path: "/account/get-balance")
        callback = receipts.map { receipts in
            switch receipts.proof {
            case .signature: receipts.address.text
            case .token(let token): receipts.address.appending(field: VonageReceiptVerifier.tokenField, token.text)
            }
        }
        if let byteCount = callback?.utf8.count, byteCount > Self.maximumCallbackBytes {
            throw VonageReceiptURLTooLong(byteCount: byteCount, maximumByteCount: Self.maximumCallbackBytes)
        }
        self.name = name
        self.account = account
        self.client = client
    }

    /// Sends a message.
    ///
    /// - Parameter message: the message to send.
    /// - Returns: the outcome.
    public func send(_ message: OutgoingMessage) async -> GatewayOutcome {
        let request = GatewayRequest(
            url: url,
            contentType: FormFields.mediaType,
            body: Array(FormFields.encode(fields(of: message)).utf8)
        )
        do throws(RequestFailure) {
            return outcome(try await client.send(request))
        } catch {
            return GatewayOutcome(error)
        }
    }

    /// Reads the balance (Vonage: "Account API").
    public func check() async -> GatewayOutcome? {
        let credentials = FormFields.encode([("api_key", account.key), ("api_secret", account.secret.text)])
        do throws(RequestFailure) {
            let answer = try await client.send(GatewayRequest(url: "\(balanceURL)?\(credentials)"))
            guard answer.isSuccess else { return GatewayOutcome(failed: answer) }
            guard case .number(let balance)? = answer.object?["value"], balance.hasPrefix("-") || Double(balance) == 0
            else { return nil }
            return .misconfigured(GatewayMisconfiguration(.noCredit))
        } catch {
            return GatewayOutcome(error)
        }
    }

    private func fields(of message: OutgoingMessage) -> [(name: String, value: String)] {
        var fields = [
            ("api_key", account.key), ("api_secret", account.secret.text), ("from", account.sender),
            ("to", String(message.phoneNumber.dropFirst())), ("text", message.text),
            ("type", message.needsUnicode ? "unicode" : "text"),
            ("ttl", String(message.validSeconds(Self.lifeSeconds) * 1000)),
            // Receipts return `client-ref`. Vonage's signature is not guaranteed to cover a query parameter of the
            // callback URL.
            ("client-ref", message.id.text),
        ]
        if let callback { fields += [("status-report-req", "1"), ("callback", callback)] }
        return fields
    }

    /// Maps a response, which has a status for each part of the message. If only some parts were accepted, the outcome
    /// is uncertain: an incomplete message is useless.
    private func outcome(_ answer: GatewayAnswer) -> GatewayOutcome {
        guard answer.isSuccess else {
            guard answer.status != 404 else {
                return .misconfigured(GatewayMisconfiguration(.addressUnknown, GatewayCode(404)))
            }
            return GatewayOutcome(failed: answer)
        }
        guard let elements = answer.object?["messages"]?.elements else { return malformed(answer) }
        let parts = elements.compactMap(\.object)
        let statuses = parts.compactMap { $0.code("status") }
        guard let first = statuses.first, statuses.count == elements.count else { return malformed(answer) }
        if statuses.allSatisfy({ $0.value == 0 }) {
            return .accepted(parts.first?["message-id"]?.text.flatMap { GatewayMessageID($0) })
        }
        guard statuses.allSatisfy({ $0.value != 0 }) else { return malformed(answer) }
        return VonageStatus.outcome(first, answer.retryAfter)
    }

    private func malformed(_ answer: GatewayAnswer) -> GatewayOutcome {
        .uncertain(GatewayTrouble(.malformedAnswer, GatewayCode(answer.status)))
    }
}

/// Vonage does not accept a receipt URL of this length.
public struct VonageReceiptURLTooLong: Error, Equatable {
    /// The length of the URL, including the token if receipts are authenticated by one.
    public let byteCount: Int
    /// The greatest length that Vonage accepts.
    public let maximumByteCount: Int
}

/// A Vonage account, its credentials and its sender.
///
/// Vonage: "SMS API", parameters `api_key`, `api_secret` and `from`.
public struct VonageAccount: Sendable {
    /// The API key: 1 to 32 letters and digits.
    public let key: String
    let secret: GatewaySecret
    let sender: String

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - key: the API key.
    ///   - secret: the API secret.
    ///   - sender: a number of the account, or a name of at most 11 characters if the destination country allows names.
    /// - Throws: ``GatewayConfigurationError/malformedAccount``, ``GatewayConfigurationError/malformedSender``
    public init(key: String, secret: GatewaySecret, sender: String) throws(GatewayConfigurationError) {
        guard (1...32).contains(key.utf8.count), key.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit }) else {
            throw .malformedAccount
        }
        guard let sender = Self.wireForm(of: sender) else { throw .malformedSender }
        self.key = key
        self.secret = secret
        self.sender = sender
    }

    /// Returns the sender as Vonage expects it: numbers without `+`. Returns nil if the sender is malformed.
    private static func wireForm(of sender: String) -> String? {
        switch SenderForm(sender) {
        case .number(let digits)?: digits
        case .name(let name)?: name
        case nil: nil
        }
    }
}

/// The outcomes of the message status in Vonage's responses, if the status is not 0.
///
/// Vonage: "Troubleshooting SMS", section "SMS API error codes", and "API Errors".
enum VonageStatus {
    static func outcome(_ status: GatewayCode, _ retryAfter: Duration?) -> GatewayOutcome {
        if let kind = misconfiguration(status.value) { return .misconfigured(GatewayMisconfiguration(kind, status)) }
        return switch status.value {
        // Rate limit of the account exceeded; too many connections.
        case 1, 10: .retry(after: retryAfter, GatewayTrouble(.throttled, status))
        case 5: .retry(after: retryAfter, GatewayTrouble(.serverError, status))
        default: .refused(GatewayRefusal(refusal(status.value), status))
        }
    }

    private static func refusal(_ status: Int) -> RefusalKind {
        switch status {
        // Unknown prefix; wrong network for the number.
        case 6, 22: .unroutable
        case 7: .recipientBlocked
        case 12: .messageRejected
        // A trial account, whose destinations must be registered one by one.
        case 29: .destinationNotEnabled
        case 33: .numberInvalid
        default: .other
        }
    }

    private static func misconfiguration(_ status: Int) -> MisconfigurationKind? {
        switch status {
        case 2, 19, 20: .requestRefused
        case 4, 14, 32: .credentialsRefused
        case 8, 11: .accountNotEnabled
        case 9: .noCredit
        case 15: .senderNotAllowed
        case 23: .receiptAddressRefused
        default: nil
        }
    }
}

public import Encodings

/// A gateway that sends through Twilio: `POST /2010-04-01/Accounts/{AccountSid}/Messages.json`.
///
/// Twilio: "Messages resource", section "Create a Message". The API has no idempotency key: if a response is lost, a
/// retry may send a second message.
public struct TwilioGateway: SMSGateway, Confidential {
    /// The range of `ValidityPeriod` (how long Twilio may queue a message) in all versions of Twilio's documentation,
    /// in seconds.
    private static let validityPeriod: ClosedRange<Int64> = 1...14_400

    /// The gateway's name in routes, logs and receipt URLs.
    public let name: GatewayName
    private let url: String
    private let account: TwilioAccount
    private let sender: TwilioSender
    private let receipts: GatewayURL?
    private let client: GatewayHTTPClient

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - name: the gateway's name in routes.
    ///   - account: the account and its credentials.
    ///   - sender: the sender.
    ///   - receipts: the URL to which Twilio posts receipts; nil for no receipts.
    ///   - server: the API's base URL; override the default for another region or a test.
    ///   - client: the HTTP client.
    public init(
        name: GatewayName,
        account: TwilioAccount,
        sender: TwilioSender,
        receipts: GatewayURL? = nil,
        server: GatewayURL = .twilio,
        client: GatewayHTTPClient
    ) {
        url = server.appending(path: "/2010-04-01/Accounts/\(account.accountSID)/Messages.json")
        self.name = name
        self.account = account
        self.sender = sender
        self.receipts = receipts
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
            body: Array(FormFields.encode(fields(of: message)).utf8),
            basicAuthentication: (account.user, account.password)
        )
        do throws(ExchangeFailure) {
            return outcome(try await client.post(request))
        } catch {
            return GatewayOutcome(error)
        }
    }

    private func fields(of message: OutgoingMessage) -> [(name: String, value: String)] {
        var fields = [("To", message.phoneNumber), ("Body", message.text)]
        fields.append((sender.field, sender.value))
        fields.append(("ValidityPeriod", String(message.validSeconds(Self.validityPeriod))))
        // Twilio's signature covers the URL with its query, so the message id in the query is authenticated.
        if let receipts {
            fields.append(("StatusCallback", receipts.appending(field: TwilioReceiptVerifier.field, message.id.text)))
        }
        return fields
    }

    private func outcome(_ answer: GatewayAnswer) -> GatewayOutcome {
        let object = answer.object
        guard answer.isSuccess else { return TwilioErrors.outcome(answer, object?.code("code")) }
        guard let sid = object?.text("sid").flatMap({ GatewayMessageID($0) }) else {
            return .uncertain(GatewayTrouble(.malformedAnswer, GatewayCode(answer.status)))
        }
        return .accepted(sid)
    }
}

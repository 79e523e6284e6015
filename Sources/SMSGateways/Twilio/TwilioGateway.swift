public import Encodings

/// Sends through Twilio: `POST /2010-04-01/Accounts/{AccountSid}/Messages.json`.
///
/// Twilio: "Messages resource", section "Create a Message". It has no idempotency key: a message whose answer was lost may be sent twice.
public struct TwilioGateway: SMSGateway, Confidential {
    /// How long Twilio may keep a message in its queue, in seconds, in all versions of its documentation.
    private static let validityPeriod: ClosedRange<Int64> = 1...14_400

    /// What routes, logs and receipt addresses call it.
    public let name: GatewayName
    private let url: String
    private let account: TwilioAccount
    private let sender: TwilioSender
    private let receipts: GatewayURL?
    private let client: GatewayHTTPClient

    /// Sets up a gateway.
    ///
    /// - Parameters:
    ///   - name: what routes call it.
    ///   - account: whose messages.
    ///   - sender: who they come from, unless a message names another.
    ///   - receipts: where Twilio posts receipts; nil for none.
    ///   - server: another server than Twilio's own, for a region or a test.
    ///   - client: the connections.
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

    /// Hands a message over.
    ///
    /// - Parameter message: what to send to whom.
    /// - Returns: what became of it.
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
        fields.append(message.sender.map { ("From", $0) } ?? (sender.field, sender.value))
        fields.append(("ValidityPeriod", String(message.validSeconds(Self.validityPeriod))))
        // Twilio signs the address with its query, so the id in it is as good as one in the receipt.
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

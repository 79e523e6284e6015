internal import OutgoingHTTP
public import Encodings

/// A gateway that sends through Twilio: `POST /2010-04-01/Accounts/{AccountSid}/Messages.json`.
///
/// Twilio: "Messages resource", section "Create a Message". The API has no idempotency key: if a response is lost, a
/// retry may send a second message.
public struct TwilioGateway: Gateway, Confidential {
    /// The range of `ValidityPeriod` (how long Twilio may queue a message) in all versions of Twilio's documentation,
    /// in seconds.
    private static let validityPeriod: ClosedRange<Int64> = 1...14_400

    /// The gateway's name in routes, logs and receipt URLs.
    public let name: GatewayName
    private let sender: TwilioSender
    private let resource: TwilioResource

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
        resource = TwilioResource("Messages", of: account, receipts: receipts, server: server, client: client)
        self.name = name
        self.sender = sender
    }

    /// Sends a message.
    ///
    /// - Parameter message: the message to send.
    /// - Returns: the outcome.
    public func send(_ message: OutgoingMessage) async -> GatewayOutcome {
        let validity = String(message.validSeconds(Self.validityPeriod))
        return await resource.create(
            [("Body", message.text), (sender.field, sender.value), ("ValidityPeriod", validity)],
            for: message
        )
    }

    /// Lists messages to a number that no one has: not every API key may read the account.
    public func check() async -> GatewayOutcome? { await resource.check() }
}

/// A resource of a Twilio account: `/2010-04-01/Accounts/{AccountSid}/{name}.json`.
struct TwilioResource: Sendable {
    private let url: String
    private let account: TwilioAccount
    private let receipts: GatewayURL?
    private let client: GatewayHTTPClient

    init(
        _ name: String,
        of account: TwilioAccount,
        receipts: GatewayURL?,
        server: GatewayURL,
        client: GatewayHTTPClient
    ) {
        url = server.appending(path: "/2010-04-01/Accounts/\(account.accountSID)/\(name).json")
        self.account = account
        self.receipts = receipts
        self.client = client
    }

    /// Creates a message or a call to the recipient.
    func create(_ fields: [(name: String, value: String)], for message: OutgoingMessage) async -> GatewayOutcome {
        var fields = [("To", message.phoneNumber)] + fields
        // Twilio's signature covers the URL with its query, so the message id in the query is authenticated.
        if let receipts {
            fields.append(("StatusCallback", receipts.appending(field: TwilioReceiptVerifier.field, message.id.text)))
        }
        let request = GatewayRequest(
            url: url,
            contentType: FormFields.mediaType,
            body: Array(FormFields.encode(fields).utf8),
            basicAuthentication: (account.user, account.password)
        )
        do throws(RequestFailure) {
            return outcome(try await client.send(request))
        } catch {
            return GatewayOutcome(error)
        }
    }

    /// Lists those to a number that no one has.
    func check() async -> GatewayOutcome? {
        let request = GatewayRequest(
            url: "\(url)?PageSize=1&To=%2B16505550100",
            basicAuthentication: (account.user, account.password)
        )
        do throws(RequestFailure) {
            let answer = try await client.send(request)
            return answer.isSuccess ? nil : TwilioErrors.outcome(answer, answer.object?.code("code"))
        } catch {
            return GatewayOutcome(error)
        }
    }

    private func outcome(_ answer: GatewayAnswer) -> GatewayOutcome {
        let object = answer.object
        guard answer.isSuccess else { return TwilioErrors.outcome(answer, object?.code("code")) }
        guard let sid = object?["sid"]?.text.flatMap({ GatewayMessageID($0) }) else {
            return .uncertain(GatewayTrouble(.malformedAnswer, GatewayCode(answer.status)))
        }
        return .accepted(sid)
    }
}

/// A Twilio account and the credentials for it.
///
/// Twilio: "REST API: API Keys" and "Messages resource".
public struct TwilioAccount: Sendable {
    /// The account SID: `AC` and 32 hexadecimal digits.
    public let accountSID: String
    let user: String
    let password: GatewaySecret

    /// Creates an account that authenticates with its auth token.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedAccount``
    public init(accountSID: String, authToken: GatewaySecret) throws(GatewayConfigurationError) {
        guard Self.isSID(accountSID, "AC") else { throw .malformedAccount }
        self.accountSID = accountSID
        user = accountSID
        password = authToken
    }

    /// Creates an account that authenticates with an API key, which can be revoked on its own.
    ///
    /// - Parameters:
    ///   - accountSID: the account SID: `AC` and 32 hexadecimal digits.
    ///   - keySID: the API key SID: `SK` and 32 hexadecimal digits.
    ///   - secret: the API key's secret.
    /// - Throws: ``GatewayConfigurationError/malformedAccount`` or ``GatewayConfigurationError/malformedKeyID``
    public init(accountSID: String, keySID: String, secret: GatewaySecret) throws(GatewayConfigurationError) {
        guard Self.isSID(accountSID, "AC") else { throw .malformedAccount }
        guard Self.isSID(keySID, "SK") else { throw .malformedKeyID }
        self.accountSID = accountSID
        user = keySID
        password = secret
    }

    /// Returns whether `text` is a SID with this prefix.
    static func isSID(_ text: String, _ prefix: String) -> Bool {
        text.hasPrefix(prefix) && text.utf8.count == 34
            && text.dropFirst(2).utf8.allSatisfy { $0.hexDigitValue != nil }
    }
}

/// The sender of Twilio's messages: a phone number, short code or alphanumeric sender ID of the account, or a messaging
/// service.
public struct TwilioSender: Hashable, Sendable {
    let field: String
    let value: String

    /// Returns a sender for a number in E.164 form, a short code, or an alphanumeric sender ID of 1 to 11 characters
    /// with at least one letter.
    ///
    /// Twilio: "Messages resource", parameter `From`.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedSender``
    public static func from(_ sender: String) throws(GatewayConfigurationError) -> TwilioSender {
        guard SenderForm(sender) != nil else { throw .malformedSender }
        return TwilioSender(field: "From", value: sender)
    }

    /// Returns a sender for a messaging service: `MG` and 32 hexadecimal digits. Twilio chooses one of the service's
    /// senders.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedSender``
    public static func messagingService(_ sid: String) throws(GatewayConfigurationError) -> TwilioSender {
        guard TwilioAccount.isSID(sid, "MG") else { throw .malformedSender }
        return TwilioSender(field: "MessagingServiceSid", value: sid)
    }
}

/// The outcomes of Twilio's error codes.
///
/// Twilio: "Error and Warning Dictionary". For unknown codes the HTTP status decides.
enum TwilioErrors {
    static func outcome(_ answer: GatewayAnswer, _ code: GatewayCode?) -> GatewayOutcome {
        guard let code else { return status(answer, nil) }
        if let kind = refusal(code.value) { return .refused(GatewayRefusal(kind, code)) }
        if let kind = misconfiguration(code.value) { return .misconfigured(GatewayMisconfiguration(kind, code)) }
        switch code.value {
        // Too many requests, messages or queued messages for the sender, the account or the service.
        case 14107, 20429, 21611, 30001, 30022, 63038:
            return .retry(after: answer.retryAfter, GatewayTrouble(.throttled, code))
        case 20500, 20503:
            return .retry(after: answer.retryAfter, GatewayTrouble(.serverError, code))
        default:
            return status(answer, code)
        }
    }

    /// The table also contains the codes with which status callbacks explain failed deliveries.
    private static func refusal(_ code: Int) -> RefusalKind? {
        switch code {
        case 21211, 21214, 21217, 21401, 21421, 30005: .numberInvalid
        case 21614, 21635, 30006: .numberNotMobile
        case 21610, 30004: .recipientBlocked
        // No permission for the region; a trial account, whose destinations must be verified one by one.
        case 21408, 21608, 21219, 14111, 21215, 21216: .destinationNotEnabled
        case 21612, 30003: .unroutable
        case 21602, 21605, 21617, 21619, 30007, 30010: .messageRejected
        case 30450: .suspectedFraud
        default: nil
        }
    }

    private static func misconfiguration(_ code: Int) -> MisconfigurationKind? {
        switch code {
        case 20003, 20004, 20006, 20008: .credentialsRefused
        case 10001, 10002, 20005, 30002: .accountNotEnabled
        case 21210, 21212, 21603, 21606, 21607, 21618, 21659, 21660, 21661, 21701, 21702, 21703, 21704, 21705, 30034:
            .senderNotAllowed
        case 21609: .receiptAddressRefused
        case 20404: .addressUnknown
        case 20001, 21604, 90007: .requestRefused
        default: nil
        }
    }

    private static func status(_ answer: GatewayAnswer, _ code: GatewayCode?) -> GatewayOutcome {
        // The only variable part of the path is the account SID, so 404 means a wrong address or account.
        guard answer.status != 404 else {
            return .misconfigured(GatewayMisconfiguration(.addressUnknown, code ?? GatewayCode(404)))
        }
        return GatewayOutcome(failed: answer, code)
    }
}

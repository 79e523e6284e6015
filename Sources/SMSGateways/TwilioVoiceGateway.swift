internal import OutgoingHTTP
public import Encodings

/// A gateway that calls through Twilio and says the code twice: `POST /2010-04-01/Accounts/{AccountSid}/Calls.json`.
///
/// Twilio: "Calls resource", section "Create a Call", and "TwiML Voice: Say". Receipts are those of
/// ``TwilioReceiptVerifier``: an answered call is a delivered message.
public struct TwilioVoiceGateway: Gateway, Confidential {
    /// The gateway's name in routes, logs and receipt URLs.
    public let name: GatewayName
    private let url: String
    private let account: TwilioAccount
    private let caller: String
    private let receipts: GatewayURL?
    private let client: GatewayHTTPClient

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - name: the gateway's name in routes.
    ///   - account: the account and its credentials.
    ///   - caller: a phone number of the account, in E.164 form.
    ///   - receipts: the URL to which Twilio posts receipts; nil for no receipts.
    ///   - server: the API's base URL; override the default for another region or a test.
    ///   - client: the HTTP client.
    /// - Throws: ``GatewayConfigurationError/malformedSender``
    public init(
        name: GatewayName,
        account: TwilioAccount,
        caller: String,
        receipts: GatewayURL? = nil,
        server: GatewayURL = .twilio,
        client: GatewayHTTPClient
    ) throws(GatewayConfigurationError) {
        guard case .number(let digits)? = SenderForm(caller) else { throw .malformedSender }
        url = server.appending(path: "/2010-04-01/Accounts/\(account.accountSID)/Calls.json")
        self.name = name
        self.account = account
        self.caller = "+\(digits)"
        self.receipts = receipts
        self.client = client
    }

    /// Calls the number.
    ///
    /// - Parameter message: the message to say.
    /// - Returns: the outcome.
    public func send(_ message: OutgoingMessage) async -> GatewayOutcome {
        let (text, locale) = (XMLTemplate.escape(message.speech.text), message.speech.locale)
        var fields = [
            ("To", message.phoneNumber), ("From", caller),
            ("Twiml", "<Response><Say language=\"\(locale)\" loop=\"2\">\(text)</Say></Response>"),
        ]
        if let receipts {
            fields.append(("StatusCallback", receipts.appending(field: TwilioReceiptVerifier.field, message.id.text)))
        }
        return await call(
            GatewayRequest(
                url: url,
                contentType: FormFields.mediaType,
                body: Array(FormFields.encode(fields).utf8),
                basicAuthentication: (account.user, account.password)
            )
        )
    }

    /// Lists calls to a number that no one has: not every API key may read the account.
    public func check() async -> GatewayOutcome? {
        let request = GatewayRequest(
            url: "\(url)?PageSize=1&To=%2B16505550100",
            basicAuthentication: (account.user, account.password)
        )
        let outcome = await call(request)
        if case .uncertain(let trouble) = outcome, trouble.kind == .malformedAnswer { return nil }
        return outcome
    }

    private func call(_ request: GatewayRequest) async -> GatewayOutcome {
        do throws(RequestFailure) {
            let answer = try await client.send(request)
            let object = answer.object
            guard answer.isSuccess else { return TwilioErrors.outcome(answer, object?.code("code")) }
            guard let sid = object?["sid"]?.text.flatMap({ GatewayMessageID($0) }) else {
                return .uncertain(GatewayTrouble(.malformedAnswer, GatewayCode(answer.status)))
            }
            return .accepted(sid)
        } catch {
            return GatewayOutcome(error)
        }
    }
}

public import Encodings

/// A gateway that calls through Twilio and says the code twice: `POST /2010-04-01/Accounts/{AccountSid}/Calls.json`.
///
/// Twilio: "Calls resource", section "Create a Call", and "TwiML Voice: Say". Receipts are those of
/// ``TwilioReceiptVerifier``: an answered call is a delivered message.
public struct TwilioVoiceGateway: Gateway, Confidential {
    /// The gateway's name in routes, logs and receipt URLs.
    public let name: GatewayName
    private let caller: String
    private let resource: TwilioResource

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
        resource = TwilioResource("Calls", of: account, receipts: receipts, server: server, client: client)
        self.name = name
        self.caller = "+\(digits)"
    }

    /// Calls the number.
    ///
    /// - Parameter message: the message to say.
    /// - Returns: the outcome.
    public func send(_ message: OutgoingMessage) async -> GatewayOutcome {
        let (text, locale) = (XMLTemplate.escape(message.speech.text), message.speech.locale)
        let response = "<Response><Say language=\"\(locale)\" loop=\"2\">\(text)</Say></Response>"
        return await resource.create([("From", caller), ("Twiml", response)], for: message)
    }

    /// Lists calls to a number that no one has: not every API key may read the account.
    public func check() async -> GatewayOutcome? { await resource.check() }
}

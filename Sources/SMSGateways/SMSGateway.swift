public import Encodings

/// A client for one of the operator's gateways, for text messages or mails.
///
/// A gateway makes one attempt per message. The caller uses the outcome to decide whether and where to retry.
public protocol Gateway<Message>: Sendable {
    associatedtype Message: GatewayMessage

    /// The gateway's name in routes, logs and receipt URLs.
    var name: GatewayName { get }

    /// Sends a message.
    ///
    /// - Parameter message: the message to send.
    /// - Returns: the outcome, within the client's deadline.
    func send(_ message: Message) async -> GatewayOutcome

    /// Checks, without a message, whether the gateway can be reached and accepts the credentials, as far as it tells.
    ///
    /// - Returns: what is wrong, within the client's deadline; nil if nothing is.
    func check() async -> GatewayOutcome?
}

/// A client for one of the operator's SMS gateways.
public typealias SMSGateway = Gateway<OutgoingMessage>

/// A text message or a mail for a gateway.
public protocol GatewayMessage: Sendable, Confidential {
    /// Dialtone's id of the message, the same for each attempt.
    var id: MessageID { get }

    /// Writes the other members of the JSON object for webhooks and files.
    func write(to json: inout JSONWriter)
}

/// A text message to send.
public struct OutgoingMessage: GatewayMessage {
    /// Dialtone's id of the message, the same for each attempt.
    public let id: MessageID
    /// The recipient, in E.164 form: `+` and 8 to 15 digits.
    public let phoneNumber: String
    /// The whole text.
    public let text: String
    /// Whether the text has characters outside of the GSM 7-bit alphabet (3GPP TS 23.038) and is sent as UCS-2.
    public let needsUnicode: Bool
    /// The remaining lifetime of the code in the message. A gateway should not deliver the message later.
    public let validFor: Duration
    /// The code in the text, for gateways that have texts of their own.
    public let code: String
    /// The language of the text: a BCP 47 tag, such as `pt-PT` or `zh-Hant`.
    public let locale: String
    /// The text for a phone call, with the code's digits one by one, and the locale of its voice, such as `en-US`.
    public let speech: (text: String, locale: String)

    /// Creates a message; nil if `phoneNumber` is not in E.164 form.
    public init?(
        id: MessageID,
        phoneNumber: String,
        text: String,
        needsUnicode: Bool,
        validFor: Duration,
        code: String,
        locale: String,
        speech: (text: String, locale: String)
    ) {
        let digits = phoneNumber.dropFirst()
        guard phoneNumber.hasPrefix("+"), (8...15).contains(digits.utf8.count), digits.isASCIIDigits else { return nil }
        self.id = id
        self.phoneNumber = phoneNumber
        self.text = text
        self.needsUnicode = needsUnicode
        self.validFor = validFor
        self.code = code
        self.locale = locale
        self.speech = speech
    }

    /// Writes the recipient, the text, its alphabet and the lifetime.
    public func write(to json: inout JSONWriter) {
        json.member("to", phoneNumber)
        json.member("text", text)
        json.member("isUnicode", needsUnicode)
        json.member("validForSeconds", max(0, validFor.components.seconds))
    }
}

/// Dialtone's id of a message: 1 to 100 letters, digits, `-` and `_`, as many as Vonage takes. Retries of a message
/// keep the id.
///
/// Gateways receive the id as an idempotency key and in receipt URLs; receipts are matched to messages by it. The id
/// appears in gateways' logs, so it must not be a session id or anything else that grants access.
public struct MessageID: Hashable, Sendable, Confidential {
    /// The id.
    public let text: String

    /// Creates an id; nil if the text is not valid.
    public init?(_ text: some StringProtocol) {
        let isOfAlphabet = text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
        guard (1...100).contains(text.utf8.count), isOfAlphabet else { return nil }
        self.text = String(text)
    }
}

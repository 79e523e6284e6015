public import Encodings
public import OutgoingHTTP

/// The result of handing a message to a gateway. Each case names what the caller can do about it.
///
/// No description contains text from the gateway, a phone number or a message text: only fixed words and numeric codes.
public enum GatewayOutcome: Hashable, Sendable {
    /// The gateway accepted the message, and may have returned an id for it. Delivery may still fail; the delivery
    /// receipt reports it.
    case accepted(GatewayMessageID?)
    /// The gateway will never send this message to this number: try the next gateway.
    case refused(GatewayRefusal)
    /// The message was not sent. The same gateway may accept it later, but not before `after` if a time is given.
    case retry(after: Duration?, GatewayTrouble)
    /// The message may have been sent. A retry may send a second message, which carries the same code.
    case uncertain(GatewayTrouble)
    /// The message was not sent, and the gateway will send none until the operator corrects something: raise an alert,
    /// and try the next gateway.
    case misconfigured(GatewayMisconfiguration)
}

extension GatewayOutcome: CustomStringConvertible {
    /// A short text for logs and metric labels.
    public var description: String {
        switch self {
        case .accepted: "accepted"
        case .refused(let refusal): "refused: \(refusal)"
        case .retry(_, let trouble): "not sent: \(trouble)"
        case .uncertain(let trouble): "uncertain: \(trouble)"
        case .misconfigured(let fault): "misconfigured: \(fault)"
        }
    }
}

/// Dialtone's classification of a gateway's response, with the gateway's own error code if it gave one.
public struct GatewayFinding<Kind: RawRepresentable & Hashable & Sendable>: Hashable, Sendable, CustomStringConvertible
where Kind.RawValue == String {
    /// The classification.
    public let kind: Kind
    /// The gateway's error code, or the HTTP status if the gateway gave no code.
    public let code: GatewayCode?

    /// Creates a finding.
    public init(_ kind: Kind, _ code: GatewayCode? = nil) {
        self.kind = kind
        self.code = code
    }

    /// The classification, with the code in parentheses.
    public var description: String { code.map { "\(kind.rawValue) (\($0))" } ?? kind.rawValue }
}

/// Why a gateway refuses to send a message.
public typealias GatewayRefusal = GatewayFinding<RefusalKind>
/// Why a message may have to be sent again.
public typealias GatewayTrouble = GatewayFinding<TroubleKind>
/// What the operator has to correct.
public typealias GatewayMisconfiguration = GatewayFinding<MisconfigurationKind>

/// Why a gateway refuses to send a message to a number. The raw value appears in logs.
public enum RefusalKind: String, Sendable, CaseIterable {
    /// The number is not valid or belongs to no subscriber.
    case numberInvalid = "number invalid"
    /// The number is a landline or cannot receive messages for another reason.
    case numberNotMobile = "number takes no messages"
    /// The subscriber has opted out, or the number is blocked.
    case recipientBlocked = "recipient blocked"
    /// The operator's account is not enabled for this destination.
    case destinationNotEnabled = "destination not enabled"
    /// The gateway has no route to this number from this sender.
    case unroutable = "unroutable"
    /// The gateway rejects the text.
    case messageRejected = "message rejected"
    /// The gateway's own fraud protection blocked the message.
    case suspectedFraud = "suspected fraud"
    /// Another reason; see the code.
    case other = "other reason"
}

/// Why a message must be retried, or why it is uncertain whether it was sent. The raw value appears in logs.
public enum TroubleKind: String, Sendable, CaseIterable {
    /// The gateway's rate limit is exceeded.
    case throttled
    /// The gateway failed internally.
    case serverError = "server error"
    /// The response does not follow the gateway's API.
    case malformedAnswer = "malformed answer"
    /// The response was not complete within the deadline.
    case timedOut = "timed out"
    /// The host name does not resolve to an address.
    case nameNotResolved = "name not resolved"
    /// No server accepts connections at the host's address.
    case unreachable
    /// The server's certificate is not issued by a trusted authority, or not for this host.
    case untrustedServer = "untrusted server"
    /// The TLS handshake failed for another reason.
    case tlsRefused = "TLS refused"
    /// The connection closed before the response was complete.
    case connectionLost = "connection lost"
    /// The caller's task was cancelled, or the client shut down.
    case cancelled
}

/// What the operator must correct before the gateway can send messages. The raw value appears in logs.
public enum MisconfigurationKind: String, Sendable, CaseIterable {
    /// The gateway rejects the account, the key or the token.
    case credentialsRefused = "credentials refused"
    /// The account is closed, suspended or not enabled for this API.
    case accountNotEnabled = "account not enabled"
    /// The account has no credit left.
    case noCredit = "no credit"
    /// The sender does not belong to the account, or may not be used.
    case senderNotAllowed = "sender not allowed"
    /// The gateway rejects the receipt URL.
    case receiptAddressRefused = "receipt address refused"
    /// The gateway's API does not exist at the configured URL.
    case addressUnknown = "address unknown"
    /// The URL redirects. Redirects are not followed, because the target is not configured to receive credentials.
    case redirected
    /// The gateway rejects the form of the request.
    case requestRefused = "request refused"
}

/// A gateway's error code, or an HTTP status: 1 to 6 digits, or a word without digits, so that it is safe to log.
public struct GatewayCode: Hashable, Sendable, CustomStringConvertible {
    /// The code as a number; -1 for a word.
    public let value: Int
    private let word: String?

    /// Creates a code; nil for a negative number or one of more than six digits.
    public init?(_ value: Int) {
        guard (0...999_999).contains(value) else { return nil }
        self.value = value
        word = nil
    }

    /// Parses a code; nil for anything but 1 to 6 digits.
    public init?(_ text: some StringProtocol) {
        guard text.isASCIIDigits, text.utf8.count <= 6, let value = Int(text) else { return nil }
        self.value = value
        word = nil
    }

    /// Parses a code, which may also be a word of 1 to 48 letters, `.`, `-` and `_`, such as `INVALID_RECIPIENT`.
    public init?(word text: String) {
        if let code = GatewayCode(text) {
            self = code
            return
        }
        guard (1...48).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0.isASCIILetter || ".-_".utf8.contains($0) })
        else { return nil }
        value = -1
        word = text
    }

    /// The digits or the word.
    public var description: String { word ?? String(value) }
}

/// A gateway's id of a message: 1 to 128 printable ASCII characters without spaces. The gateway chooses the text, so
/// the description does not show it.
public struct GatewayMessageID: Hashable, Sendable, Confidential {
    /// The id.
    public let text: String

    /// Creates an id; nil if the text is not valid.
    public init?(_ text: some StringProtocol) {
        guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        self.text = String(text)
    }
}

extension GatewayOutcome {
    /// The outcome as seen by the gateway's circuit breaker. Only an error of the gateway or of the operator's account
    /// is a failure, not an error of a number or message.
    public var callResult: CircuitBreaker.CallResult {
        switch self {
        case .accepted, .refused: .success
        case .retry(_, let trouble), .uncertain(let trouble): trouble.kind == .cancelled ? .cancelled : .failure
        case .misconfigured: .failure
        }
    }
}

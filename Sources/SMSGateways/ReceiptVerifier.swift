public import Encodings

/// A verifier and parser for a gateway's delivery receipts.
public protocol ReceiptVerifier: Sendable {
    /// Returns the URL for the receipts of a message; `address` is the gateway's.
    func url(_ address: GatewayURL, for message: MessageID) -> String

    /// Verifies and parses a receipt.
    ///
    /// Receipts may be repeated, late and out of order: the caller must not overwrite a final state with one that is
    /// not final.
    ///
    /// - Parameters:
    ///   - request: the receipt as received.
    ///   - now: the time with which signed timestamps are compared.
    /// - Returns: the verified receipt.
    /// - Throws: ``ReceiptRefusal``
    func verify(_ request: ReceiptRequest, at now: Instant) throws(ReceiptRefusal) -> DeliveryReceipt

    /// Verifies a request and parses its receipts, if one request may contain those of several messages.
    func receipts(in request: ReceiptRequest, at now: Instant) throws(ReceiptRefusal) -> [DeliveryReceipt]

    /// Returns the response to a request by which the gateway checks who controls the URL; nil for a receipt.
    func confirmation(of request: ReceiptRequest) -> String?
}

extension ReceiptVerifier {
    /// Returns the gateway's URL: most signed receipts contain the message's id.
    public func url(_ address: GatewayURL, for message: MessageID) -> String { address.text }

    /// Verifies and parses the one receipt of a request.
    public func receipts(in request: ReceiptRequest, at now: Instant) throws(ReceiptRefusal) -> [DeliveryReceipt] {
        [try verify(request, at: now)]
    }

    /// Returns nil: most gateways do not check the URL.
    public func confirmation(of request: ReceiptRequest) -> String? { nil }
}

/// A receipt as received from a gateway, not yet verified.
public struct ReceiptRequest: Sendable, Confidential {
    /// The whole URL, including the query, as configured at the gateway: with the public scheme and host, not those
    /// behind a reverse proxy.
    public let url: String
    /// Returns the value of a header field by its lowercase name; nil if the field is absent.
    public let header: @Sendable (_ name: String) -> String?
    /// The whole body; empty for a GET request.
    public let body: [UInt8]

    /// Creates a receipt request.
    public init(url: String, body: [UInt8], header: @escaping @Sendable (_ name: String) -> String?) {
        self.url = url
        self.body = body
        self.header = header
    }

    /// The part of the URL after the first `?`.
    var query: Substring {
        url.firstIndex(of: "?").map { url[url.index(after: $0)...] } ?? ""
    }
}

/// A gateway's report on the delivery of a message that it had accepted.
public struct DeliveryReceipt: Equatable, Sendable {
    /// Dialtone's id of the message.
    public let message: MessageID
    /// The delivery state.
    public let state: State

    /// The delivery state of a message.
    public enum State: Hashable, Sendable, CustomStringConvertible {
        /// The message reached the phone, according to the network.
        case delivered
        /// The message will not reach the phone; the code is the gateway's reason.
        case undelivered(GatewayCode?)
        /// The message is on its way, or the gateway's state is unknown to Dialtone.
        case pending

        /// A short text for logs.
        public var description: String {
            switch self {
            case .delivered: "delivered"
            case .undelivered(let code): code.map { "undelivered (\($0))" } ?? "undelivered"
            case .pending: "pending"
            }
        }
    }

    /// Creates a receipt from values that are already verified.
    public init(message: MessageID, state: State) {
        self.message = message
        self.state = state
    }
}

/// Why a receipt is rejected.
public enum ReceiptRefusal: String, Error, CaseIterable, Sendable {
    /// The signature or token is missing or invalid.
    case forged
    /// The signature's timestamp is outside the tolerance: the receipt may be a replay, or a clock is wrong.
    case tooOld
    /// The receipt is malformed, or has no valid message id.
    case malformed
}

extension Instant {
    /// Returns whether this time differs from `other` by at most `tolerance`, in either direction, counted in whole
    /// seconds as in signatures.
    func isWithin(_ tolerance: Duration, of other: Instant) -> Bool {
        let (difference, isTooFar) = seconds.subtractingReportingOverflow(other.seconds)
        return !isTooFar && difference.magnitude <= UInt64(max(0, tolerance.components.seconds))
    }
}

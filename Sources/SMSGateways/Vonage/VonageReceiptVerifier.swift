internal import Encodings

/// Reads Vonage's delivery receipts, whether they come as a query, a form or JSON: an account's settings say which.
///
/// Vonage: "Delivery receipts"; "Signing messages", section "Manually generate a signature".
public struct VonageReceiptVerifier: ReceiptVerifier {
    /// The field of the URL's query that carries the token.
    static let tokenField = "token"

    private let proof: VonageReceiptProof
    private let tolerance: Duration

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - proof: by what receipts are known; the same as the gateway's.
    ///   - tolerance: how far a signature's time may be from now.
    public init(proof: VonageReceiptProof, tolerance: Duration = .seconds(300)) {
        self.proof = proof
        self.tolerance = tolerance
    }

    /// Checks a receipt and reads it; see ``ReceiptVerifier/verify(_:at:)``.
    ///
    /// - Parameters:
    ///   - request: the receipt as it came.
    ///   - now: the time, against which a signature's is held.
    /// - Returns: what it says.
    /// - Throws: ``ReceiptRefusal``
    public func verify(_ request: ReceiptRequest, at now: UnixTime) throws(ReceiptRefusal) -> DeliveryReceipt {
        guard let query = FormFields(request.query.utf8) else { throw .malformed }
        if case .token(let token) = proof {
            guard let given = query[Self.tokenField], token.matches(given) else { throw .forged }
        }
        guard let fields = VonageReceiptFields(request, query) else { throw .malformed }
        if case .signature(let secret) = proof {
            guard fields.isSigned(with: secret) else { throw .forged }
            guard let time = fields["timestamp"].flatMap({ Int64($0) }) else { throw .malformed }
            guard UnixTime(seconds: time).isWithin(tolerance, of: now) else { throw .tooOld }
        }
        guard let message = fields["client-ref"].flatMap({ MessageID($0) }), let status = fields["status"] else {
            throw .malformed
        }
        return DeliveryReceipt(
            message: message,
            gatewayMessage: fields["messageId"].flatMap { GatewayMessageID($0) },
            state: state(status, fields["err-code"])
        )
    }

    private func state(_ status: String, _ error: String?) -> DeliveryReceipt.State {
        switch status {
        case "delivered": .delivered
        case "failed", "rejected", "expired": .undelivered(error.flatMap { GatewayCode($0) })
        default: .pending
        }
    }
}

public import Encodings

/// A verifier for Vonage's delivery receipts in a query, a form or JSON, depending on the account's settings.
///
/// Vonage: "Delivery receipts"; "Signing messages", section "Manually generate a signature".
public struct VonageReceiptVerifier: ReceiptVerifier {
    /// The query parameter that carries the token.
    static let tokenField = "token"

    private let proof: VonageReceiptProof
    private let tolerance: Duration

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - proof: how receipts are authenticated; the same as for the gateway.
    ///   - tolerance: the maximum difference between a signature's timestamp and the current time.
    public init(proof: VonageReceiptProof, tolerance: Duration = .seconds(300)) {
        self.proof = proof
        self.tolerance = tolerance
    }

    /// Verifies and parses a receipt; see ``ReceiptVerifier/verify(_:at:)``.
    ///
    /// - Parameters:
    ///   - request: the receipt as received.
    ///   - now: the time with which the signature's timestamp is compared.
    /// - Returns: the verified receipt.
    /// - Throws: ``ReceiptRefusal``
    public func verify(_ request: ReceiptRequest, at now: Instant) throws(ReceiptRefusal) -> DeliveryReceipt {
        guard let query = FormFields(request.query.utf8) else { throw .malformed }
        if case .token(let token) = proof {
            guard let given = query[Self.tokenField], token.matches(given) else { throw .forged }
        }
        guard let fields = VonageReceiptFields(request, query) else { throw .malformed }
        if case .signature(let secret) = proof {
            guard fields.isSigned(with: secret) else { throw .forged }
            guard let time = fields["timestamp"].flatMap({ Int64($0) }) else { throw .malformed }
            guard Instant(seconds: time).isWithin(tolerance, of: now) else { throw .tooOld }
        }
        guard let message = fields["client-ref"].flatMap({ MessageID($0) }), let status = fields["status"] else {
            throw .malformed
        }
        return DeliveryReceipt(message: message, state: state(status, fields["err-code"]))
    }

    private func state(_ status: String, _ error: String?) -> DeliveryReceipt.State {
        switch status {
        case "delivered": .delivered
        case "failed", "rejected", "expired": .undelivered(error.flatMap { GatewayCode($0) })
        default: .pending
        }
    }
}

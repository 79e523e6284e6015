import Encodings
import SMSGateways
import Testing

/// Returns a verifier's result for a receipt: the receipt, or the refusal.
func verdict(
    of verifier: any ReceiptVerifier,
    on body: String,
    at offset: Int64 = 0,
    url: String = Example.receipts,
    _ headers: [String: String] = [:]
) -> Result<DeliveryReceipt, ReceiptRefusal> {
    let request = ReceiptRequest(url: url, body: Array(body.utf8)) { headers[$0] }
    return Result { () throws(ReceiptRefusal) in
        try verifier.verify(request, at: Instant(seconds: Example.now.seconds + offset))
    }
}

extension DeliveryReceipt {
    /// Returns a receipt for the example's message.
    static func example(_ state: State) throws -> DeliveryReceipt {
        DeliveryReceipt(message: try Example.id(), state: state)
    }
}

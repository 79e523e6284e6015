public import Encodings

/// A verifier and parser for a gateway's delivery receipts.
public protocol ReceiptVerifier: Sendable {
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
}

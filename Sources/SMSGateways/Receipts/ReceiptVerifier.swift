/// Tells a gateway's own receipts from anybody else's, and reads them.
public protocol ReceiptVerifier: Sendable {
    /// Checks a receipt and reads it.
    ///
    /// The same receipt may come again, late and out of order: a state that is final must not be overwritten by one that is not.
    ///
    /// - Parameters:
    ///   - request: the receipt as it came.
    ///   - now: the time, against which signed times are held.
    /// - Returns: what it says.
    /// - Throws: ``ReceiptRefusal``
    func verify(_ request: ReceiptRequest, at now: UnixTime) throws(ReceiptRefusal) -> DeliveryReceipt
}

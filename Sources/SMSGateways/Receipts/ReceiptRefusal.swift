/// Why a receipt is rejected.
public enum ReceiptRefusal: String, Error, CaseIterable, Sendable {
    /// The signature or token is missing or invalid.
    case forged
    /// The signature's timestamp is outside the tolerance: the receipt may be a replay, or a clock is wrong.
    case tooOld
    /// The receipt is malformed, or has no valid message id.
    case malformed
}

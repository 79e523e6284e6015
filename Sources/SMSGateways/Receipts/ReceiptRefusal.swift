/// Why a receipt is not believed.
public enum ReceiptRefusal: String, Error, CaseIterable, Sendable {
    /// It has no signature, or not the gateway's.
    case forged
    /// It was signed too long ago, or by a clock that goes wrong: it may be a copy.
    case tooOld
    /// It is not in the form that is agreed, or names no message of ours.
    case malformed
}

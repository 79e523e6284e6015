/// By what Vonage's receipts are known to be its own.
///
/// Vonage signs receipts only for accounts for which its support has switched that on ("Signing messages", section "Validate the signature
/// on incoming messages"). For the others there is a token in the address of receipts, which nobody else is told.
public enum VonageReceiptProof: Sendable {
    /// The account's signature secret; the method in its settings must be SHA-256 HMAC.
    case signature(GatewaySecret)
    /// A token of ours, long and random, in the address of receipts. Keep it out of access logs.
    case token(GatewaySecret)
}

/// How Vonage's receipts are authenticated.
///
/// Vonage signs receipts only for accounts for which its support has enabled signing ("Signing messages", section
/// "Validate the signature on incoming messages"). For other accounts the receipt URL contains a secret token.
public enum VonageReceiptProof: Sendable {
    /// The account's signature secret; the method in its settings must be SHA-256 HMAC.
    case signature(GatewaySecret)
    /// Dialtone's own long random token in the receipt URL. Keep the token out of access logs.
    case token(GatewaySecret)
}

public import Encodings

/// What a request brings to prove that it comes from the operator's own app.
public enum AppCredential: Sendable, Equatable, Confidential {
    /// Nothing.
    case absent
    /// Receipt and secret of a silent push.
    case pushReceipt(receipt: String, secret: String)
    /// The token of a solved challenge: ours, or the provider's own from a web app.
    case challengeToken(String)
    /// The platform's own attestation (Play Integrity, SafetyNet), which nothing here can check.
    case attestation
}

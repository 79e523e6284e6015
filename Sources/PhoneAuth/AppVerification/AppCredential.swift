public import Encodings

/// The credential in a request, which proves that the request comes from the operator's own app.
public enum AppCredential: Sendable, Equatable, Confidential {
    /// No credential.
    case absent
    /// The receipt and secret of a silent push.
    case pushReceipt(receipt: String, secret: String)
    /// The token of a solved challenge: ours, or a third-party provider's from a web app.
    case challengeToken(String)
    /// An Android app's Play Integrity token.
    case playIntegrityToken(String)
    /// A SafetyNet token; Google has shut SafetyNet down.
    case safetyNetToken
}

internal import Cryptography
public import Encodings

/// The hash of an app's secret, which it sends before the sign-in (PKCE, RFC 7636 § 4.2): base64url of SHA-256.
///
/// The method `plain` is not supported: anyone who sees the request would know the secret.
public struct CodeChallenge: Hashable, Sendable {
    /// The only method.
    public static let method = "S256"

    /// 43 characters.
    public let text: String

    /// Parses a challenge; nil if it is not base64url of 32 bytes.
    public init?(_ text: String) {
        guard let hash = Base64URL.decode(text.utf8), hash.count == SHA256.byteCount else { return nil }
        self.text = text
    }

    fileprivate init(of verifier: String) {
        text = Base64URL.string(SHA256.hash(Array(verifier.utf8)))
    }
}

/// An app's secret, with which it redeems an authorization code (RFC 7636 § 4.1).
public struct CodeVerifier: Sendable, Confidential {
    /// The hash of the secret.
    let challenge: CodeChallenge

    /// Parses a verifier; nil if it does not have 43 to 128 unreserved characters.
    public init?(_ text: String) {
        guard (43...128).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "-._~".utf8.contains($0) })
        else { return nil }
        challenge = CodeChallenge(of: text)
    }
}

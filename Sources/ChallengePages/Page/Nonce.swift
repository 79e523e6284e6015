internal import Encodings

/// The nonce that identifies one response's own scripts and styles in its policy (CSP 3 § 2.3.1). Single use.
public struct Nonce: Sendable, Equatable {
    let text: String

    /// Creates the nonce of one response.
    ///
    /// - Parameter bytes: at least 16 unpredictable bytes.
    public init(_ bytes: [UInt8]) {
        precondition(bytes.count >= 16, "a nonce must have at least 16 random bytes")
        text = Base64URL.string(bytes)
    }
}

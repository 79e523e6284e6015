public import Encodings

/// The HMAC key that Dialtone shares with the operator's own gateway: at least 32 characters, so that the key is not
/// weaker than the hash (RFC 2104 § 3).
public struct WebhookKey: Sendable, Confidential {
    let bytes: [UInt8]

    /// Creates a key; `openssl rand -hex 32` generates one.
    ///
    /// - Throws: ``GatewayConfigurationError/weakKey``
    public init(_ secret: GatewaySecret) throws(GatewayConfigurationError) {
        guard secret.text.utf8.count >= 32 else { throw .weakKey }
        bytes = secret.bytes
    }
}

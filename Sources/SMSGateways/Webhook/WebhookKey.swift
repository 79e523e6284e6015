public import Encodings

/// The key that Dialtone and an operator's own gateway share: 32 characters at least, so that it is no weaker than its signatures (RFC 2104 § 3).
public struct WebhookKey: Sendable, Confidential {
    let bytes: [UInt8]

    /// Takes a key; `openssl rand -hex 32` makes one.
    ///
    /// - Throws: ``GatewayConfigurationError/weakKey``
    public init(_ secret: GatewaySecret) throws(GatewayConfigurationError) {
        guard secret.text.utf8.count >= 32 else { throw .weakKey }
        bytes = secret.bytes
    }
}

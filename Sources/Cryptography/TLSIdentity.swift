public import Encodings

/// A client certificate for mutual TLS, with its private key.
public struct TLSIdentity: Hashable, Sendable, Confidential {
    /// PEM; the client's certificate first, then its issuers.
    public let certificates: String
    /// PEM, unencrypted; the key of the first certificate.
    public let privateKey: String

    /// Creates an identity from a certificate and its key.
    public init(certificates: String, privateKey: String) {
        self.certificates = certificates
        self.privateKey = privateKey
    }
}

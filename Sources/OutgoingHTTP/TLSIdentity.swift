public import Encodings

/// A client certificate for mutual TLS, with its private key.
public struct TLSIdentity: Hashable, Sendable, Confidential {
    let certificates: String
    let privateKey: String

    /// Creates an identity from a certificate and its key.
    ///
    /// - Parameters:
    ///   - certificates: PEM; the client's certificate first, then its issuers.
    ///   - privateKey: PEM, unencrypted; the key of the first certificate.
    public init(certificates: String, privateKey: String) {
        self.certificates = certificates
        self.privateKey = privateKey
    }
}

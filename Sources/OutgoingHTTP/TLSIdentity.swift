public import Encodings

/// The certificate that a client shows to servers that ask for one, with its key.
public struct TLSIdentity: Hashable, Sendable, Confidential {
    let certificates: String
    let privateKey: String

    /// Takes a certificate and its key.
    ///
    /// - Parameters:
    ///   - certificates: PEM; the client's own certificate first, then those that signed it.
    ///   - privateKey: PEM, unencrypted; the key of the first certificate.
    public init(certificates: String, privateKey: String) {
        self.certificates = certificates
        self.privateKey = privateKey
    }
}

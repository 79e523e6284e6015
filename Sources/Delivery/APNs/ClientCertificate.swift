internal import Cryptography
public import Encodings
internal import OutgoingHTTP

/// An app's TLS client certificate for APNs, the older kind of authentication. It needs no provider token.
public struct ClientCertificate: Hashable, Sendable, Confidential {
    /// The expiry of the certificate. APNs rejects it from then on.
    public let expiresAt: Instant
    let identity: TLSIdentity

    /// Reads a certificate.
    ///
    /// - Parameters:
    ///   - chain: PEM; the app's own certificate first, then its issuers'.
    ///   - privateKey: PEM, unencrypted.
    /// - Throws: ``APNsCredentialError``
    public init(chain: String, privateKey: String) throws(APNsCredentialError) {
        guard let certificates = CertificateChain(pem: chain) else { throw .unreadableCertificate }
        guard let isMatch = certificates.matches(privateKey: privateKey) else { throw .unreadablePrivateKey }
        guard isMatch else { throw .privateKeyOfAnotherCertificate }
        expiresAt = certificates.expiresAt
        identity = TLSIdentity(certificates: certificates.pem, privateKey: privateKey)
    }
}

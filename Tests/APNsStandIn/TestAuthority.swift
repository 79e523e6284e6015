internal import Crypto
internal import Foundation
internal import SwiftASN1
internal import X509

/// A certificate authority of the test's own: it signs server certificates for 127.0.0.1 and certificates for clients.
public struct TestAuthority: Sendable {
    /// A certificate with its private key, both in PEM.
    public struct Identity: Sendable {
        /// The certificate.
        public let certificate: String
        /// The key that belongs to it.
        public let privateKey: String
    }

    /// The authority's own certificate in PEM: what its clients trust.
    public let certificatePEM: String
    private let key: P256.Signing.PrivateKey
    private let name: DistinguishedName

    /// An authority with a new key.
    public init() throws {
        key = P256.Signing.PrivateKey()
        name = try DistinguishedName { CommonName("Test authority") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: .now - 3600,
            notValidAfter: .now + 86_400,
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true))
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        certificatePEM = try certificate.serializeAsPEM().pemString
    }

    /// A certificate for a server on 127.0.0.1, which is also `localhost`.
    public func serverIdentity() throws -> Identity {
        let address = ASN1OctetString(contentBytes: [127, 0, 0, 1])
        return try identity(commonName: "127.0.0.1", lifetime: 86_400) {
            SubjectAlternativeNames([.dnsName("localhost"), .ipAddress(address)])
        }
    }

    /// A certificate for a client.
    /// - Parameters:
    ///   - commonName: the subject's name.
    ///   - lifetime: how many seconds from now it is valid for; negative for one that has expired.
    /// - Returns: the certificate and its key.
    /// - Throws: what the certificates' library throws.
    public func clientIdentity(commonName: String, lifetime: Double = 86_400) throws -> Identity {
        try identity(commonName: commonName, lifetime: lifetime) {
            try ExtendedKeyUsage([.clientAuth])
        }
    }

    private func identity(
        commonName: String,
        lifetime: Double,
        @ExtensionsBuilder extensions: () throws -> Result<Certificate.Extensions, any Error>
    ) throws -> Identity {
        let key = P256.Signing.PrivateKey()
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: .now - 172_800,
            notValidAfter: .now + lifetime,
            issuer: name,
            subject: try DistinguishedName { CommonName(commonName) },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions(builder: extensions),
            issuerPrivateKey: Certificate.PrivateKey(self.key)
        )
        return Identity(certificate: try certificate.serializeAsPEM().pemString, privateKey: key.pemRepresentation)
    }
}

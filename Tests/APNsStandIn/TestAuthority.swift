internal import Cryptography
internal import Glibc

/// A certificate authority for tests. It issues server certificates for 127.0.0.1, and client certificates.
public struct TestAuthority: Sendable {
    /// A certificate with its private key, both in PEM.
    public struct Identity: Sendable {
        /// The certificate.
        public let certificate: String
        /// The certificate's private key.
        public let privateKey: String
    }

    /// The authority's own certificate in PEM, the trust root of its clients.
    public let certificatePEM: String
    private let key: P256PrivateKey
    private static let name = "Test authority"

    /// Creates an authority with a new key.
    public init() throws {
        key = try .generate()
        certificatePEM = try Certificate(
            subject: Self.name,
            key: .p256(key),
            validity: Self.validity(lifetime: 86_400),
            serialNumber: Self.serialNumber(),
            extensions: [
                Certificate.Extension("basicConstraints", "critical,CA:TRUE"),
                Certificate.Extension("keyUsage", "critical,keyCertSign"),
            ]
        ).pem
    }

    /// Issues a certificate for a server, by default on 127.0.0.1 and `localhost`.
    /// - Parameters:
    ///   - names: the subject alternative names, in the syntax of OpenSSL's `x509v3_config(5)`.
    ///   - lifetime: the validity period from now, in seconds. It begins an hour ago.
    /// - Returns: the certificate and its key.
    /// - Throws: `CryptographyFailure`
    public func serverIdentity(
        names: String = "DNS:localhost,IP:127.0.0.1",
        lifetime: Int64 = 86_400
    ) throws -> Identity {
        try identity("127.0.0.1", lifetime, Certificate.Extension("subjectAltName", names))
    }

    /// Issues a certificate for a client.
    /// - Parameters:
    ///   - commonName: the subject's common name.
    ///   - lifetime: the validity period from now, in seconds.
    /// - Returns: the certificate and its key.
    /// - Throws: `CryptographyFailure`
    public func clientIdentity(commonName: String, lifetime: Int64 = 86_400) throws -> Identity {
        try identity(commonName, lifetime, Certificate.Extension("extendedKeyUsage", "clientAuth"))
    }

    private func identity(_ name: String, _ lifetime: Int64, _ use: Certificate.Extension) throws -> Identity {
        let key = try P256PrivateKey.generate()
        let certificate = try Certificate(
            subject: name,
            key: .p256(key),
            issuer: (commonName: Self.name, key: .p256(self.key)),
            validity: Self.validity(lifetime: lifetime),
            serialNumber: Self.serialNumber(),
            extensions: [use]
        )
        return Identity(certificate: certificate.pem, privateKey: try key.pem())
    }

    private static func validity(lifetime: Int64) -> ClosedRange<Int64> {
        let now = Int64(time(nil))
        return now - 3600...now + lifetime
    }

    private static func serialNumber() -> [UInt8] { (0..<16).map { _ in .random(in: 1..<128) } }
}

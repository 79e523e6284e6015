import Cryptography
import Encodings
import PhoneAuth

/// New keys from the system's random generator.
enum NewKeys {
    /// Returns the text of a key file with one signing key.
    static func keyFile() throws -> [UInt8] {
        KeyFile.make(signingKey: try signingKey(), .system)
    }

    /// Returns an RSA-2048 key with its self-signed certificate.
    static func signingKey() throws -> NewSigningKey {
        let privateKey = try RSAPrivateKey.generate()
        return NewSigningKey(
            id: Hexadecimal.encode(SHA256.hash(try privateKey.publicKey.der()).prefix(20)),
            privateKey: try privateKey.pem(),
            certificate: try certificate(of: privateKey, .system).pem
        )
    }

    /// Returns a certificate that is valid for ten years. Verifiers use only its public key. To retire a key, its
    /// certificate is no longer published.
    private static func certificate(of key: RSAPrivateKey, _ environment: Environment) throws -> Certificate {
        let now = environment.now().seconds
        // Positive and of fixed length (RFC 5280 § 4.1.2.2).
        var serialNumber = environment.randomBytes(16)
        serialNumber[0] = serialNumber[0] & 0x3F | 0x40
        return try Certificate(
            subject: "dialtone-token-signer",
            key: .rsa(key),
            validity: now - 3600...now + 10 * 365 * 86_400,
            serialNumber: serialNumber,
            extensions: [
                Certificate.Extension("basicConstraints", "critical,CA:FALSE"),
                Certificate.Extension("keyUsage", "critical,digitalSignature"),
            ]
        )
    }
}

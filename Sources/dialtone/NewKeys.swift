import Crypto
import CryptoExtras
import Encodings
import PhoneAuth
import SwiftASN1
import X509
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// New keys from the system's generator.
enum NewKeys {
    /// The text of a key file with one signing key.
    static func keyFile() throws -> [UInt8] {
        KeyFile.make(signingKey: try signingKey(), .system)
    }

    /// An RSA-2048 key with its self-signed certificate.
    static func signingKey() throws -> NewSigningKey {
        let privateKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let id = Hexadecimal.encode(SHA256.hash(data: privateKey.publicKey.derRepresentation).prefix(20))
        return NewSigningKey(
            id: id,
            privateKey: privateKey.pemRepresentation,
            certificate: try certificate(of: privateKey).serializeAsPEM().pemString
        )
    }

    /// Verifiers take the public key out of the certificate and look at nothing else, so it is valid for ten years: a key
    /// ends when it is no longer published.
    private static func certificate(of key: _RSA.Signing.PrivateKey) throws -> Certificate {
        let now = Date()
        let name = try DistinguishedName { CommonName("dialtone-token-signer") }
        return try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now - 3600,
            notValidAfter: now + 10 * 365 * 86_400,
            issuer: name,
            subject: name,
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
    }
}

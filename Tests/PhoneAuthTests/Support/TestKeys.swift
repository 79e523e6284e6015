import Cryptography
import PhoneAuth

/// Server keys with RSA keys that are created once per process, because creation is slow.
enum TestKeys {
    /// The PEM of a 2048-bit private key.
    static let privateKey = newPrivateKey()
    static let otherPrivateKey = newPrivateKey()

    /// A key that is too short to be accepted.
    static let shortPrivateKey = newPrivateKey(bits: 1024)

    /// Returns the text of a key file. Another seed gives other symmetric keys.
    static func file(seed: UInt64 = 1, keyID: String = "key-1", privateKey: String = Self.privateKey) -> [UInt8] {
        KeyFile.make(
            signingKey: new(keyID, privateKey: privateKey),
            SettableEnvironment(seed: seed).environment
        )
    }

    /// Returns a signing key for a file. Its certificate is invalid.
    static func new(_ id: String, privateKey: String = Self.otherPrivateKey) -> NewSigningKey {
        NewSigningKey(id: id, privateKey: privateKey, certificate: "-----BEGIN CERTIFICATE-----")
    }

    static func make(seed: UInt64 = 1) throws -> ServerKeys {
        try KeyFile.parse(file(seed: seed))
    }

    private static func newPrivateKey(bits: Int = 2048) -> String {
        do {
            return try RSAPrivateKey.generate(bitCount: bits).pem()
        } catch {
            fatalError("no RSA key: \(error)")
        }
    }
}

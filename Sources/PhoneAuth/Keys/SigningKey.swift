internal import Cryptography
public import Encodings

/// An RSA key that signs ID tokens, with what verifiers need to know about it.
public struct SigningKey: Sendable, Confidential {
    /// The JWT header's `kid`.
    public let id: String
    /// The self-signed X.509 certificate of the public key, PEM: what the Admin SDKs fetch.
    public let certificate: String
    /// The modulus and exponent as in a JWK (RFC 7518 § 6.3.1): base64url, big endian.
    public let publicKey: (modulus: String, exponent: String)
    private let privateKey: RSAPrivateKey
    private let encodedHeader: [UInt8]

    /// Reads a private key from PEM (PKCS #1 or PKCS #8); nil if it is not an RSA key of 2048 bits or more.
    public init?(id: String, privateKey pem: String, certificate: String) {
        guard let privateKey = RSAPrivateKey(pem: pem), privateKey.publicKey.bitCount >= 2048 else { return nil }
        self.privateKey = privateKey
        publicKey = (
            Base64URL.string(privateKey.publicKey.modulus), Base64URL.string(privateKey.publicKey.exponent)
        )
        self.id = id
        self.certificate = certificate
        encodedHeader = Base64URL.encode(
            JSONWriter.object { json in
                json.member("alg", "RS256")
                json.member("kid", id)
                json.member("typ", "JWT")
            }
        )
    }

    /// Returns the compact JWS of `payload`, RS256 (RFC 7515, RFC 7518 § 3.3).
    func sign(_ payload: [UInt8]) throws(CryptographyFailure) -> String {
        var token: [UInt8] = []
        token.reserveCapacity(encodedHeader.count + payload.count * 4 / 3 + 512)
        token += encodedHeader
        token.append(UInt8(ascii: "."))
        Base64URL.append(payload, to: &token)
        let signature = try privateKey.signature(for: token)
        token.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &token)
        return String(decoding: token, as: UTF8.self)
    }

    /// Returns whether `signature` is this key's signature of `signed`.
    func isValid(_ signature: [UInt8], for signed: some Collection<UInt8>) -> Bool {
        privateKey.publicKey.isValid(signature, for: Array(signed))
    }
}

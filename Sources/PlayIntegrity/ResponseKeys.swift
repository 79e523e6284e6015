internal import Cryptography
public import Encodings
internal import PhoneAuth

/// The response keys of an app, which the Play Console shows: one decrypts tokens, the other one verifies Google's
/// signature in them. With them, no request to Google's servers is needed.
public struct ResponseKeys: Sendable, Confidential {
    private let decryption: AES256KeyWrap
    private let verification: P256PublicKey

    /// Parses a key file: lines with `DECRYPTION_KEY=` and `VERIFICATION_KEY=`, each followed by the key in Base64, as
    /// the Play Console shows it.
    ///
    /// - Parameter file: the content of the file.
    /// - Throws: ``ResponseKeysError``
    public init(file: [UInt8]) throws(ResponseKeysError) {
        var values: [String: [UInt8]] = [:]
        for line in file.split(separator: UInt8(ascii: "\n")) {
            let line = String(decoding: line, as: UTF8.self)
            guard let sign = line.firstIndex(of: "="), !line.hasPrefix("#") else { continue }
            let value = line[line.index(after: sign)...].utf8.filter { $0 > 0x20 }
            values[String(line[..<sign].filter { $0 != " " })] = Base64.decode(eitherAlphabet: value)
        }
        guard let decryption = values["DECRYPTION_KEY"].flatMap(AES256KeyWrap.init(key:)) else { throw .decryptionKey }
        guard let verification = values["VERIFICATION_KEY"].flatMap(P256PublicKey.init(der:)) else {
            throw .verificationKey
        }
        self.decryption = decryption
        self.verification = verification
    }

    /// Decrypts a token and verifies Google's signature (ES256). Returns nil if the token does not match these keys.
    func payload(of token: SealedIntegrityToken) -> JSONObject? {
        guard let content = decrypted(token), let text = String(validUTF8: content.span),
            let signed = CompactJWT(text), signed.header["crit"] == nil,
            signed.isSigned("ES256", { verification.isValid($0, for: $1) })
        else { return nil }
        return signed.claims
    }

    /// Decrypts a token; returns nil if it was encrypted with another key, or altered.
    private func decrypted(_ token: SealedIntegrityToken) -> [UInt8]? {
        guard let contentKey = decryption.unwrap(token.wrappedKey), let cipher = AES256GCM(key: contentKey) else {
            return nil
        }
        return cipher.open(
            token.ciphertext + token.tag,
            nonce: token.nonce,
            authenticating: token.encodedHeader
        )
    }
}

/// The key that is missing in the file of an app's response keys, or is malformed.
public enum ResponseKeysError: Error, Equatable {
    /// The decryption key: 32 bytes.
    case decryptionKey
    /// The verification key: a P-256 public key, SubjectPublicKeyInfo in DER.
    case verificationKey
}

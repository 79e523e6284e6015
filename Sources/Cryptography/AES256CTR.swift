internal import COpenSSL

/// AES-256 in counter mode (NIST SP 800-38A § 6.5), for password hashes of Firebase's modified scrypt.
public enum AES256CTR {
    /// Encrypts `plaintext` with a counter that starts at 0. Never encrypt two plaintexts with the same key.
    ///
    /// - Parameters:
    ///   - plaintext: of any length.
    ///   - key: 32 bytes.
    /// - Returns: the ciphertext, as long as `plaintext`.
    /// - Throws: ``CryptographyFailure`` if the key is not 32 bytes long.
    public static func encrypt(_ plaintext: [UInt8], key: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
        guard key.count == 32 else { throw CryptographyFailure() }
        let context = try made(EVP_CIPHER_CTX_new())
        defer { EVP_CIPHER_CTX_free(context) }
        try check(EVP_EncryptInit_ex2(context, Algorithms.aes256CTR, key, [UInt8](repeating: 0, count: 16), nil))
        var written: Int32 = 0
        return try filled(plaintext.count) {
            EVP_EncryptUpdate(context, $0, &written, plaintext, Int32(plaintext.count))
        }
    }
}

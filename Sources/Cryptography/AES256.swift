internal import COpenSSL
public import Encodings

/// AES-256-GCM (NIST SP 800-38D) with one key, 12-byte nonces and 16-byte tags.
public struct AES256GCM: Sendable, Confidential {
    /// The length of a key in bytes.
    public static let keyByteCount = 32
    /// The length of a nonce in bytes.
    public static let nonceByteCount = 12
    /// The length of a tag in bytes.
    public static let tagByteCount = 16

    private let sealing: ContextPool
    private let opening: ContextPool

    /// Prepares a key; nil if it is not 32 bytes long. libcrypto keeps the only copies and overwrites them at the end.
    public init?(key: [UInt8]) {
        guard key.count == Self.keyByteCount else { return nil }
        let template = Template(key)
        sealing = ContextPool(make: template.copyForSealing, free: EVP_CIPHER_CTX_free)
        opening = ContextPool(make: template.copyForOpening, free: EVP_CIPHER_CTX_free)
    }

    /// Encrypts and authenticates `plaintext`, and authenticates `context` (associated data) with it.
    ///
    /// - Returns: the ciphertext followed by the tag.
    /// - Throws: ``CryptographyFailure`` if the nonce is not 12 bytes long.
    public func seal(
        _ plaintext: [UInt8],
        nonce: [UInt8],
        authenticating context: [UInt8]
    ) throws(CryptographyFailure) -> [UInt8] {
        guard nonce.count == Self.nonceByteCount else { throw CryptographyFailure() }
        return try sealing.withContext { cipher throws(CryptographyFailure) in
            try check(EVP_EncryptInit_ex2(cipher, nil, nil, nonce, nil))
            var written: Int32 = 0
            try check(EVP_EncryptUpdate(cipher, nil, &written, context, Int32(context.count)))
            return try filled(plaintext.count + Self.tagByteCount) { output in
                guard let output,
                    EVP_EncryptUpdate(cipher, output, &written, plaintext, Int32(plaintext.count)) == 1,
                    EVP_EncryptFinal_ex(cipher, output + Int(written), &written) == 1
                else { return 0 }
                let tag = output + plaintext.count
                return EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagByteCount), tag)
            }
        }
    }

    /// Decrypts and verifies the result of ``seal(_:nonce:authenticating:)``. Returns nil if any byte of `sealed`,
    /// `nonce` or `context` differs.
    public func open(_ sealed: [UInt8], nonce: [UInt8], authenticating context: [UInt8]) -> [UInt8]? {
        guard nonce.count == Self.nonceByteCount, sealed.count >= Self.tagByteCount else { return nil }
        let byteCount = sealed.count - Self.tagByteCount
        var tag = Array(sealed[byteCount...])
        return try? opening.withContext { cipher throws(CryptographyFailure) in
            try check(EVP_DecryptInit_ex2(cipher, nil, nil, nonce, nil))
            try check(EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagByteCount), &tag))
            var written: Int32 = 0
            try check(EVP_DecryptUpdate(cipher, nil, &written, context, Int32(context.count)))
            return try filled(byteCount) { output in
                // With a null output, libcrypto would take the input for associated data.
                if let output, byteCount > 0,
                    EVP_DecryptUpdate(cipher, output, &written, sealed, Int32(byteCount)) != 1
                {
                    return 0
                }
                var nothing: UInt8 = 0
                return EVP_DecryptFinal_ex(cipher, &nothing, &written)
            }
        }
    }

    /// Keyed contexts, from which the pools' contexts are copied.
    ///
    /// `@unchecked Sendable`: the contexts do not change after `init`, and copying only reads them.
    private final class Template: @unchecked Sendable {
        private let sealing: OpaquePointer
        private let opening: OpaquePointer

        init(_ key: [UInt8]) {
            (sealing, opening) = mustSucceed { () throws(CryptographyFailure) in
                let sealing = try made(EVP_CIPHER_CTX_new())
                let opening = try made(EVP_CIPHER_CTX_new())
                try check(EVP_EncryptInit_ex2(sealing, Algorithms.aes256GCM, key, nil, nil))
                try check(EVP_DecryptInit_ex2(opening, Algorithms.aes256GCM, key, nil, nil))
                return (sealing, opening)
            }
        }

        deinit {
            EVP_CIPHER_CTX_free(sealing)
            EVP_CIPHER_CTX_free(opening)
        }

        func copyForSealing() -> OpaquePointer? { Self.copy(sealing) }
        func copyForOpening() -> OpaquePointer? { Self.copy(opening) }

        private static func copy(_ context: OpaquePointer) -> OpaquePointer? {
            guard let copy = EVP_CIPHER_CTX_new() else { return nil }
            guard EVP_CIPHER_CTX_copy(copy, context) == 1 else {
                EVP_CIPHER_CTX_free(copy)
                return nil
            }
            return copy
        }
    }
}

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

/// AES Key Wrap with a 256-bit key (RFC 3394): A256KW in JWE (RFC 7518 § 4.4).
public struct AES256KeyWrap: Sendable, Confidential {
    /// The length of a key in bytes.
    public static let keyByteCount = 32
    /// How much longer a wrapped key is, in bytes.
    public static let overhead = 8

    private let key: [UInt8]

    /// Prepares the wrapping key; nil if it is not 32 bytes long.
    public init?(key: [UInt8]) {
        guard key.count == Self.keyByteCount else { return nil }
        self.key = key
    }

    /// Wraps another key.
    ///
    /// - Parameter other: at least 16 bytes, a multiple of 8.
    /// - Returns: the wrapped key, 8 bytes longer than `other`.
    /// - Throws: ``CryptographyFailure`` if `other` has another length.
    public func wrap(_ other: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
        guard other.count >= 16, other.count % 8 == 0 else { throw CryptographyFailure() }
        return try withContext { context throws(CryptographyFailure) in
            try check(EVP_EncryptInit_ex2(context, Algorithms.aes256Wrap, key, nil, nil))
            return try Self.output(other.count + Self.overhead) {
                EVP_EncryptUpdate(context, $0, $1, other, Int32(other.count))
            }
        }
    }

    /// Unwraps another key. Returns nil if any byte of `wrapped` differs from the result of ``wrap(_:)``.
    public func unwrap(_ wrapped: [UInt8]) -> [UInt8]? {
        guard wrapped.count >= 16 + Self.overhead, wrapped.count % 8 == 0 else { return nil }
        return try? withContext { context throws(CryptographyFailure) in
            try check(EVP_DecryptInit_ex2(context, Algorithms.aes256Wrap, key, nil, nil))
            let plain = try Self.output(wrapped.count) {
                EVP_DecryptUpdate(context, $0, $1, wrapped, Int32(wrapped.count))
            }
            guard plain.count == wrapped.count - Self.overhead else { throw CryptographyFailure() }
            return plain
        }
    }

    private func withContext<Result>(
        _ body: (OpaquePointer) throws(CryptographyFailure) -> Result
    ) throws(CryptographyFailure) -> Result {
        let context = try made(EVP_CIPHER_CTX_new())
        // Overwrites the key schedule.
        defer { EVP_CIPHER_CTX_free(context) }
        EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
        return try body(context)
    }

    /// Returns what a function of libcrypto writes: at most `capacity` bytes.
    private static func output(
        _ capacity: Int,
        _ write: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Int32>) -> Int32
    ) throws(CryptographyFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: capacity)
        var written: Int32 = 0
        try check(write(&bytes, &written))
        bytes.removeLast(capacity - Int(written))
        return bytes
    }
}

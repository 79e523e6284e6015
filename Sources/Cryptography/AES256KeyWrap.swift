internal import COpenSSL
public import Encodings

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

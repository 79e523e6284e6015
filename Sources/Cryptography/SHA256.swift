internal import COpenSSL

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// The length of a hash in bytes.
    public static let byteCount = 32

    private static let contexts = ContextPool(make: EVP_MD_CTX_new, free: EVP_MD_CTX_free)

    /// Returns the 32-byte hash of `message`.
    public static func hash(_ message: [UInt8]) -> [UInt8] {
        mustSucceed { () throws(CryptographyFailure) in
            try contexts.withContext { context throws(CryptographyFailure) in
                try check(EVP_DigestInit_ex2(context, Algorithms.sha256, nil))
                try check(EVP_DigestUpdate(context, message, message.count))
                return try filled(byteCount) { EVP_DigestFinal_ex(context, $0, nil) }
            }
        }
    }
}

/// Returns `byteCount` bytes that a libcrypto function wrote.
///
/// - Throws: ``CryptographyFailure`` if the function did not return 1.
func filled(
    _ byteCount: Int,
    _ write: (UnsafeMutablePointer<UInt8>?) -> Int32
) throws(CryptographyFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    try check(bytes.withUnsafeMutableBufferPointer { write($0.baseAddress) })
    return bytes
}

/// SHA-1 (FIPS 180-4), with which Redis identifies scripts. Not for security: SHA-1 is not collision resistant.
public enum SHA1 {
    /// Returns the 20-byte hash of `message`.
    public static func hash(_ message: [UInt8]) -> [UInt8] {
        mustSucceed { () throws(CryptographyFailure) in
            try filled(20) { EVP_Digest(message, message.count, $0, nil, Algorithms.sha1, nil) }
        }
    }
}

internal import COpenSSL

/// scrypt (RFC 7914).
public enum Scrypt {
    /// Derives a key from a password.
    ///
    /// - Parameters:
    ///   - password: the password, of any length.
    ///   - salt: the salt, of any length.
    ///   - cost: N, the CPU and memory cost: a power of two above 1.
    ///   - blockSize: r, the block size.
    ///   - parallelism: p, the parallelization.
    ///   - byteCount: the length of the key in bytes.
    /// - Returns: the key.
    /// - Throws: ``CryptographyFailure`` if the parameters are invalid or memory is exhausted. scrypt needs 128 · r ·
    ///   (N + p) bytes.
    public static func deriveKey(
        password: [UInt8],
        salt: [UInt8],
        cost: Int,
        blockSize: Int,
        parallelism: Int,
        byteCount: Int
    ) throws(CryptographyFailure) -> [UInt8] {
        // libcrypto's default limit is 32 MiB. libcrypto counts a few blocks more than RFC 7914.
        let mostMemory = 128 * blockSize * (cost + parallelism + 2) + 4096
        return try password.withUnsafeBufferPointer { password throws(CryptographyFailure) in
            try filled(byteCount) {
                let text = UnsafeRawPointer(password.baseAddress)?.assumingMemoryBound(to: CChar.self)
                return EVP_PBE_scrypt(
                    text,
                    password.count,
                    salt,
                    salt.count,
                    UInt64(cost),
                    UInt64(blockSize),
                    UInt64(parallelism),
                    UInt64(mostMemory),
                    $0,
                    byteCount
                )
            }
        }
    }
}

internal import COpenSSL

/// SHA-1 (FIPS 180-4), with which Redis identifies scripts. Not for security: SHA-1 is not collision resistant.
public enum SHA1 {
    /// Returns the 20-byte hash of `message`.
    public static func hash(_ message: [UInt8]) -> [UInt8] {
        mustSucceed { () throws(CryptographyFailure) in
            try filled(20) { EVP_Digest(message, message.count, $0, nil, Algorithms.sha1, nil) }
        }
    }
}

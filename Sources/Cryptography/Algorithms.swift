internal import COpenSSL

/// The algorithms that are in use, each fetched once: OpenSSL 3 searches its providers at each fetch.
///
/// The default library context is searched, so the operator's `openssl.cnf` decides which provider answers. With the FIPS
/// provider alone scrypt is missing, and with it imported hashes of that kind.
///
/// Unsafe without the compiler's proof: nothing changes an algorithm after it was fetched, and it is never freed.
enum Algorithms {
    nonisolated(unsafe) static let sha1 = fetched(EVP_MD_fetch(nil, "SHA1", nil))
    nonisolated(unsafe) static let sha256 = fetched(EVP_MD_fetch(nil, "SHA256", nil))
    nonisolated(unsafe) static let hmac = fetched(EVP_MAC_fetch(nil, "HMAC", nil))
    nonisolated(unsafe) static let aes256GCM = fetched(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))
    nonisolated(unsafe) static let aes256CTR = fetched(EVP_CIPHER_fetch(nil, "AES-256-CTR", nil))

    private static func fetched(_ algorithm: OpaquePointer?) -> OpaquePointer {
        mustSucceed { () throws(CryptographyFailure) in try made(algorithm) }
    }
}

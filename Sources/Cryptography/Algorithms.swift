internal import COpenSSL

/// The algorithms in use. Each is fetched once, because OpenSSL 3 searches its providers at each fetch.
///
/// They are fetched from the default library context, so the operator's `openssl.cnf` decides which provider implements
/// them. The FIPS provider alone has no scrypt, so imported scrypt hashes cannot be verified with it.
///
/// `nonisolated(unsafe)`: an algorithm does not change after it was fetched, and is never freed.
enum Algorithms {
    nonisolated(unsafe) static let sha1 = fetched(EVP_MD_fetch(nil, "SHA1", nil))
    nonisolated(unsafe) static let sha256 = fetched(EVP_MD_fetch(nil, "SHA256", nil))
    nonisolated(unsafe) static let hmac = fetched(EVP_MAC_fetch(nil, "HMAC", nil))
    nonisolated(unsafe) static let aes256GCM = fetched(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))
    nonisolated(unsafe) static let aes256CTR = fetched(EVP_CIPHER_fetch(nil, "AES-256-CTR", nil))
    nonisolated(unsafe) static let aes256Wrap = fetched(EVP_CIPHER_fetch(nil, "AES-256-WRAP", nil))

    private static func fetched(_ algorithm: OpaquePointer?) -> OpaquePointer {
        mustSucceed { () throws(CryptographyFailure) in try made(algorithm) }
    }
}

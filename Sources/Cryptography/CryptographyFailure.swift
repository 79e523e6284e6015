internal import COpenSSL

/// libcrypto refused a key or an operation: it has no memory left, or the operator's `openssl.cnf` forbids the
/// algorithm.
public struct CryptographyFailure: Error {
    /// A failure. Forgets libcrypto's own reasons, which it keeps for each thread.
    public init() {
        ERR_clear_error()
    }
}

/// Returns what libcrypto made.
/// - Throws: ``CryptographyFailure`` if it made nothing.
func made<Object>(_ object: Object?) throws(CryptographyFailure) -> Object {
    guard let object else { throw CryptographyFailure() }
    return object
}

/// - Throws: ``CryptographyFailure`` if a function of libcrypto did not return 1.
func check(_ result: Int32) throws(CryptographyFailure) {
    guard result == 1 else { throw CryptographyFailure() }
}

/// Runs an operation that fails only without memory or without the algorithm. A process without HMAC-SHA-256 can do
/// nothing.
func mustSucceed<Result>(_ body: () throws(CryptographyFailure) -> Result) -> Result {
    do {
        return try body()
    } catch {
        fatalError("libcrypto: out of memory, or an algorithm is switched off in openssl.cnf")
    }
}

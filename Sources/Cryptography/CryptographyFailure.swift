internal import COpenSSL

/// The failure of a libcrypto operation: a key or an argument is invalid, memory is exhausted, or the operator's
/// `openssl.cnf` disables the algorithm.
public struct CryptographyFailure: Error {
    /// Creates a failure and clears libcrypto's error queue, which is per thread.
    public init() {
        ERR_clear_error()
    }
}

/// Returns an object that libcrypto created.
///
/// - Throws: ``CryptographyFailure`` if the object is nil.
func made<Object>(_ object: Object?) throws(CryptographyFailure) -> Object {
    guard let object else { throw CryptographyFailure() }
    return object
}

/// Throws ``CryptographyFailure`` if a libcrypto function did not return 1.
func check(_ result: Int32) throws(CryptographyFailure) {
    guard result == 1 else { throw CryptographyFailure() }
}

/// Runs an operation that can fail only if memory is exhausted or the algorithm is disabled. Without HMAC-SHA-256, the
/// process cannot do anything useful.
func mustSucceed<Result>(_ body: () throws(CryptographyFailure) -> Result) -> Result {
    do {
        return try body()
    } catch {
        fatalError("libcrypto: out of memory, or an algorithm is switched off in openssl.cnf")
    }
}

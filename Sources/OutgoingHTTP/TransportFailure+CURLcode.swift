internal import CCurl
internal import Glibc

extension TransportFailure {
    /// Maps the result of a transfer that failed before its request was sent.
    ///
    /// - Parameters:
    ///   - code: libcurl's result.
    ///   - errno: the error number of the last `connect`, or 0.
    init(_ code: CURLcode, errno: Int) {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .nameNotResolved
        case CURLE_COULDNT_CONNECT: self = errno == Int(ETIMEDOUT) ? .timedOut : .unreachable
        case CURLE_PROXY: self = .unreachable
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR: self = .untrustedServer
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED:
            self = .tlsRefused
        default: self = .connectionLost
        }
    }
}

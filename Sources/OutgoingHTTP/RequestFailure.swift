internal import CCurl
internal import Glibc

/// The failure of a request that had no response.
public struct RequestFailure: Error, Hashable, Sendable {
    /// Why the request had no response.
    public let reason: TransportFailure
    /// Whether the server may have received the request. If false, the server has not received it and never will.
    public let mayBeSent: Bool

    /// Creates a failure.
    public init(_ reason: TransportFailure, mayBeSent: Bool) {
        self.reason = reason
        self.mayBeSent = mayBeSent
    }
}

/// Why a request had no response.
public enum TransportFailure: Error, Hashable, Sendable {
    /// The response was not complete within the deadline.
    case timedOut
    /// The host name does not resolve to an address.
    case nameNotResolved
    /// No server accepts connections at the host's address.
    case unreachable
    /// The server's certificate is not issued by a trusted authority, or not for this host.
    case untrustedServer
    /// The TLS handshake failed for another reason.
    case tlsRefused
    /// The connection closed before the response was complete. A server may also reject a client certificate this way:
    /// in TLS 1.3 the client has finished its handshake by then.
    case connectionLost
    /// The caller's task was cancelled, or the client shut down.
    case cancelled
}

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
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_USE_SSL_FAILED:
            self = .tlsRefused
        default: self = .connectionLost
        }
    }
}

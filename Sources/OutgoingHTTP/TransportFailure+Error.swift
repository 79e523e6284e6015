internal import AsyncHTTPClient
internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

extension TransportFailure {
    /// What an error of the HTTP client comes to. The errors' own texts may hold addresses and header fields: they go no further.
    init(_ error: any Error) {
        switch error {
        case is CancellationError: self = .cancelled
        case let error as HTTPClientError: self.init(error)
        case let error as NIOConnectionError: self = error.connectionErrors.isEmpty ? .nameNotResolved : .unreachable
        case let error as NIOSSLError: self.init(error)
        case is NIOSSLExtraError: self = .untrustedServer
        case is BoringSSLError: self = .tlsRefused
        case let error as IOError: self.init(errno: error.errnoCode)
        default: self = .connectionLost
        }
    }

    private init(_ error: HTTPClientError) {
        switch error {
        case .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout,
            .getConnectionFromPoolTimeout:
            self = .timedOut
        case .cancelled, .alreadyShutdown:
            self = .cancelled
        default:
            self = .connectionLost
        }
    }

    private init(_ error: NIOSSLError) {
        switch error {
        case .unableToValidateCertificate, .noCertificateToValidate, .cannotFindPeerIP:
            self = .untrustedServer
        case .handshakeFailed(let cause):
            // The library has no value for a certificate that it turned down, only this word.
            self = "\(cause)".contains("CERTIFICATE_VERIFY_FAILED") ? .untrustedServer : .tlsRefused
        default:
            self = .connectionLost
        }
    }

    private init(errno: Int32) {
        switch errno {
        case ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EACCES, EADDRNOTAVAIL: self = .unreachable
        case ETIMEDOUT: self = .timedOut
        default: self = .connectionLost
        }
    }
}

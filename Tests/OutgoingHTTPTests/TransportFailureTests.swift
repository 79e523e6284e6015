import AsyncHTTPClient
import Glibc
import NIOCore
import NIOSSL
import Testing

@testable import OutgoingHTTP

@Suite struct TransportFailureTests {
    private struct Unknown: Error {}

    static let failures: [(any Error, TransportFailure)] = [
        (HTTPClientError.deadlineExceeded, .timedOut), (HTTPClientError.connectTimeout, .timedOut),
        (HTTPClientError.getConnectionFromPoolTimeout, .timedOut), (HTTPClientError.tlsHandshakeTimeout, .timedOut),
        (IOError(errnoCode: ETIMEDOUT, reason: "read"), .timedOut),
        (IOError(errnoCode: ECONNREFUSED, reason: "connect"), .unreachable),
        (IOError(errnoCode: ENETUNREACH, reason: "connect"), .unreachable),
        (IOError(errnoCode: ECONNRESET, reason: "read"), .connectionLost),
        (HTTPClientError.remoteConnectionClosed, .connectionLost), (ChannelError.eof, .connectionLost),
        (NIOSSLError.unableToValidateCertificate, .untrustedServer), (NIOSSLError.uncleanShutdown, .connectionLost),
        (NIOSSLError.handshakeFailed(.sslError([])), .tlsRefused), (Unknown(), .connectionLost),
        (HTTPClientError.cancelled, .cancelled), (HTTPClientError.alreadyShutdown, .cancelled),
        (CancellationError(), .cancelled),
    ]

    @Test("every error of the HTTP client comes to one of a few words", arguments: failures)
    func classified(error: any Error, failure: TransportFailure) {
        #expect(TransportFailure(error) == failure)
    }
}

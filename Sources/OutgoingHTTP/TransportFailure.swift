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

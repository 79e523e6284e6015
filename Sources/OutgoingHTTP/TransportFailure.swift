/// Why a request had no answer.
public enum TransportFailure: Error, Hashable, Sendable {
    /// No whole answer within the deadline.
    case timedOut
    /// The host's name has no address.
    case nameNotResolved
    /// Nothing accepts connections at the host's address.
    case unreachable
    /// The server's certificate is not signed by a trusted authority, or not made out to the host.
    case untrustedServer
    /// The TLS handshake failed for another reason.
    case tlsRefused
    /// The connection ended before the answer. A server that turns a client certificate down ends it so too: in TLS 1.3
    /// the client's side of the handshake is over by then.
    case connectionLost
    /// The caller's task was cancelled, or the client shut down.
    case cancelled
}

/// Why a message must be retried, or why it is uncertain whether it was sent. The raw value appears in logs.
public enum TroubleKind: String, Sendable, CaseIterable {
    /// The gateway's rate limit is exceeded.
    case throttled
    /// The gateway failed internally.
    case serverError = "server error"
    /// The response does not follow the gateway's API.
    case malformedAnswer = "malformed answer"
    /// The response was not complete within the deadline.
    case timedOut = "timed out"
    /// The host name does not resolve to an address.
    case nameNotResolved = "name not resolved"
    /// No server accepts connections at the host's address.
    case unreachable
    /// The server's certificate is not issued by a trusted authority, or not for this host.
    case untrustedServer = "untrusted server"
    /// The TLS handshake failed for another reason.
    case tlsRefused = "TLS refused"
    /// The connection closed before the response was complete.
    case connectionLost = "connection lost"
    /// The caller's task was cancelled, or the client shut down.
    case cancelled
}

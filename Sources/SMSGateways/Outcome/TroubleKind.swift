/// Why a message has to be tried again, or why nobody knows whether it was sent. The raw value is what a log shows.
public enum TroubleKind: String, Sendable, CaseIterable {
    /// The gateway asks for fewer messages at a time.
    case throttled
    /// The gateway has a fault of its own.
    case serverError = "server error"
    /// The gateway answered in a way that is not agreed.
    case malformedAnswer = "malformed answer"
    /// No whole answer within the deadline.
    case timedOut = "timed out"
    /// The host's name has no address.
    case nameNotResolved = "name not resolved"
    /// Nothing accepts connections at the host's address.
    case unreachable
    /// The server's certificate is not signed by a trusted authority, or not made out to the host.
    case untrustedServer = "untrusted server"
    /// The TLS handshake failed for another reason.
    case tlsRefused = "TLS refused"
    /// The connection ended before the answer.
    case connectionLost = "connection lost"
    /// The caller's task was cancelled, or the client shut down.
    case cancelled
}

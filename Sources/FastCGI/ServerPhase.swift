/// The life of a server, in order.
enum ServerPhase {
    /// Serving.
    case running
    /// Asked to stop: what arrives is still answered, and each connection closes after its answer.
    case draining
    /// Idle connections are being closed; requests in hand are finished.
    case closing
}

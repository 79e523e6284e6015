/// The phases of a server, in order.
enum ServerPhase {
    /// Serving.
    case running
    /// Stopping: new requests are still answered, and each connection closes after its response.
    case draining
    /// Idle connections are being closed; requests in progress are completed.
    case closing
}

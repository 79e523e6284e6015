/// Answers requests.
///
/// A server makes one handler for each of its threads and uses it there only, so a handler may keep
/// connections and buffers of its own without locks.
public protocol RequestHandler {
    /// Answers one request. The request is gone when this returns.
    mutating func respond(to request: borrowing Request) -> Response
}

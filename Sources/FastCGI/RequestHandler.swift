/// A handler of requests.
///
/// A server creates one handler per thread and uses it on that thread only, so a handler may keep connections and
/// buffers without locks.
public protocol RequestHandler {
    /// Returns the response to a request. The request is invalid once this method returns.
    mutating func respond(to request: borrowing Request) -> Response
}

/// The state of a connection after a request.
enum ServedConnection: ~Copyable {
    /// Closed as requested, or because the connection failed.
    case closed
    /// Open for the client's next request.
    case kept(Connection)
    /// Open, but the response has told the client not to reuse it.
    case announcedClose(Connection)
}

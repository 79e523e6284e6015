/// A connection after a request.
enum ServedConnection: ~Copyable {
    /// Closed, by agreement or because it broke.
    case closed
    /// Open for the client's next request.
    case kept(Connection)
    /// Open, but the client was told not to use it again.
    case saidGoodbye(Connection)
}

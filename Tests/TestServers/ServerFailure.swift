/// The reason why a test's server is not running.
public struct ServerFailure: Error, CustomStringConvertible {
    /// One line, and the end of the server's log.
    public let description: String

    /// Creates a failure.
    public init(description: String) { self.description = description }
}

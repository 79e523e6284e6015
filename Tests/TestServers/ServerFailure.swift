/// Why a test's server does not run.
public struct ServerFailure: Error, CustomStringConvertible {
    /// One line, and the end of the server's log.
    public let description: String

    /// Describes a failure.
    public init(description: String) { self.description = description }
}

public import Redis

/// Redis did not answer in time, or gave an unexpected answer. Contains no key, no argument and no secret.
public struct StoreUnavailable: Error, Equatable, CustomStringConvertible {
    /// One line for the log.
    public let description: String

    /// Whether it is certain that Redis has executed nothing.
    public let isUnexecuted: Bool

    /// Creates an error with a reason in one line that contains no key, no argument and no secret.
    public init(description: String) {
        self.description = description
        isUnexecuted = false
    }

    /// Creates the error for a command.
    public init(_ error: RedisError) {
        description = error.description
        isUnexecuted = error.isUnexecuted
    }

    /// Performs commands; an error of Redis becomes this error.
    public static func wrapping<Value>(_ commands: @autoclosure () throws(RedisError) -> Value) throws(StoreUnavailable)
        -> Value
    {
        do { return try commands() } catch { throw StoreUnavailable(error) }
    }

    /// The stored data cannot be read.
    public static let unexpectedReply = StoreUnavailable(description: "Redis gave an answer of an unexpected form")
}

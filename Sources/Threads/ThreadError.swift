internal import Glibc

/// The error if a thread could not be created, usually because memory or the system's limit of threads is exhausted.
public struct ThreadError: Error, Hashable, CustomStringConvertible {
    /// The error number of `pthread_create`.
    public let error: Int32

    /// One line for the operator.
    public var description: String { "cannot start a thread: pthread_create: \(String(cString: strerror(error)))" }
}

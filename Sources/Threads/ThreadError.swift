internal import Glibc

/// Why a thread could not be made, mostly for want of memory or because the system allows no more of them.
public struct ThreadError: Error, Hashable, CustomStringConvertible {
    /// The error number of `pthread_create`.
    public let error: Int32

    /// One line for the operator.
    public var description: String { "cannot start a thread: pthread_create: \(String(cString: strerror(error)))" }
}

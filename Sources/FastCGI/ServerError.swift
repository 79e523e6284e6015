import Glibc

/// Why a server could not start: a system call failed, mostly for want of descriptors or memory.
public struct ServerError: Error, Hashable, CustomStringConvertible {
    /// The call.
    public let call: String
    /// Its error number (`errno`).
    public let error: Int32

    /// One line for the operator.
    public var description: String { "cannot start the FastCGI server: \(call): \(String(cString: strerror(error)))" }
}

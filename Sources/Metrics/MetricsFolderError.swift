internal import Glibc

/// Why processes cannot share metrics in a folder.
public struct MetricsFolderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One line for a log.
    public let description: String

    init(description: String) {
        self.description = description
    }

    /// Describes a system call that failed with this error number.
    init(_ action: String, _ error: Int32) {
        description = "cannot \(action): \(String(cString: strerror(error)))"
    }
}

import Glibc

/// Why a server cannot start.
public enum ServerError: Error, Hashable, CustomStringConvertible {
    /// A system call failed with this `errno`, usually because descriptors or memory are exhausted.
    case systemCall(String, error: Int32)
    /// The installed libfcgi does not behave as this server requires.
    case incompatibleLibrary(expectation: String)

    /// One line for the operator.
    public var description: String {
        let reason =
            switch self {
            case .systemCall(let call, let error): "\(call): \(String(cString: strerror(error)))"
            case .incompatibleLibrary(let expectation):
                "the installed libfcgi does not behave like version 2.4.2; expected: \(expectation)"
            }
        return "cannot start the FastCGI server: \(reason)"
    }
}

import Glibc

/// Why a process was not started. The description is one line for the operator.
public enum StartError: Error, Sendable, Equatable {
    /// The search path has no executable with this name, or there is no executable at this path.
    case notInstalled(String)
    /// The executable exists, but the system could not execute it.
    case cannotRun(String, errno: Int32)
    /// The working directory cannot be entered.
    case cannotEnterFolder(String, errno: Int32)
    /// The file for the process's output cannot be opened.
    case cannotOpenFile(String, errno: Int32)
    /// A descriptor to inherit is not open.
    case cannotInheritDescriptors(errno: Int32)
    /// The system's processes or descriptors are exhausted.
    case outOfResources(errno: Int32)
}

extension StartError: CustomStringConvertible {
    /// One line, such as "redis-server is not installed".
    public var description: String {
        switch self {
        case .notInstalled(let name): "\(name) is not installed"
        case .cannotRun(let name, let code): "cannot run \(name): \(reason(code))"
        case .cannotEnterFolder(let path, let code): "cannot enter the folder \(path): \(reason(code))"
        case .cannotOpenFile(let path, let code): "cannot open \(path): \(reason(code))"
        case .cannotInheritDescriptors(let code): "cannot pass a descriptor to a child process: \(reason(code))"
        case .outOfResources(let code): "cannot start a process: \(reason(code))"
        }
    }

    private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

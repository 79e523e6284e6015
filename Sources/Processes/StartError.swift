import Glibc

/// Why a process was not started. The description is one line for a person.
public enum StartError: Error, Sendable, Equatable {
    /// No executable of this name is in the search path, or none at this path.
    case notInstalled(String)
    /// The executable is there but the system would not run it.
    case cannotRun(String, errno: Int32)
    /// The working folder cannot be entered.
    case cannotEnterFolder(String, errno: Int32)
    /// The file for the process's output cannot be opened.
    case cannotOpenFile(String, errno: Int32)
    /// A descriptor to be inherited is not open.
    case cannotInheritDescriptors(errno: Int32)
    /// The system has no process or descriptor left to give.
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
        case .cannotInheritDescriptors(let code): "cannot hand over a descriptor: \(reason(code))"
        case .outOfResources(let code): "cannot start a process: \(reason(code))"
        }
    }

    private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

import CProcess
import Glibc

extension ChildProcess {
    /// Starts a program and returns once it is running.
    ///
    /// The child has no blocked or ignored signals and reads from `/dev/null`. It inherits no descriptors except its
    /// three standard ones and those in `inheriting`.
    ///
    /// - Parameters:
    ///   - executable: a path, or a name that ``findExecutable(_:)`` looks up.
    ///   - arguments: the arguments, without the program's own name.
    ///   - environment: the whole environment; nil for this process's environment.
    ///   - workingFolder: the working directory; nil for this process's.
    ///   - output: the destination of standard output.
    ///   - errors: the destination of standard error.
    ///   - inheriting: further descriptors and their numbers in the child; number 0 replaces `/dev/null` as standard
    ///     input.
    ///   - diesWithParent: whether the kernel kills the child (but not the child's own children) when this process
    ///     ends, for any reason.
    ///   - hasOwnGroup: whether the child leads its own process group, so that a terminal's Ctrl-C reaches this process
    ///     only.
    /// - Returns: the running process.
    /// - Throws: ``StartError``, also if the system cannot execute the file.
    public static func start(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        workingFolder: String? = nil,
        output: Output = .inherit,
        errors: Output = .inherit,
        inheriting: [(descriptor: Int32, as: Int32)] = [],
        diesWithParent: Bool = true,
        hasOwnGroup: Bool = true
    ) throws(StartError) -> ChildProcess {
        guard let path = findExecutable(executable) else { throw .notInstalled(executable) }
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }

        var descriptors = inheriting.map { cprocess_descriptor(from: $0.descriptor, to: $0.as) }
        if !inheriting.contains(where: { $0.as == STDIN_FILENO }) {
            let input = try openFile("/dev/null", O_RDONLY, &opened)
            descriptors.append(cprocess_descriptor(from: input, to: STDIN_FILENO))
        }
        for (target, number) in [(output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
            let descriptor = try target.descriptor(number, &opened)
            descriptors.append(cprocess_descriptor(from: descriptor, to: number))
        }
        let launch = Launch(
            path: path,
            arguments: [executable] + arguments,
            environment: environment,
            folder: workingFolder,
            descriptors: descriptors,
            diesWithParent: diesWithParent,
            hasOwnGroup: hasOwnGroup
        )
        let result = StartingThread.shared.run { launch.run() }
        switch result.step {
        case CPROCESS_STARTED:
            return ChildProcess(processID: result.pid, handle: result.handle, hasOwnGroup: hasOwnGroup)
        case CPROCESS_FOLDER: throw .cannotEnterFolder(workingFolder ?? ".", errno: result.error)
        case CPROCESS_DESCRIPTORS: throw .cannotInheritDescriptors(errno: result.error)
        case CPROCESS_EXECUTE: throw .cannotRun(executable, errno: result.error)
        default: throw .outOfResources(errno: result.error)
        }
    }
}

extension ChildProcess.Output {
    /// Returns the descriptor for the child. A descriptor that is opened for it is added to `opened`, to be closed
    /// after the start.
    fileprivate func descriptor(_ standard: Int32, _ opened: inout [Int32]) throws(StartError) -> Int32 {
        switch self {
        case .inherit: standard
        case .discard: try openFile("/dev/null", O_WRONLY, &opened)
        case .file(let path): try openFile(path, O_WRONLY | O_CREAT | O_APPEND, &opened)
        case .descriptor(let descriptor): descriptor
        }
    }
}

private func openFile(_ path: String, _ flags: Int32, _ opened: inout [Int32]) throws(StartError) -> Int32 {
    let descriptor = open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .cannotOpenFile(path, errno: errno) }
    opened.append(descriptor)
    return descriptor
}

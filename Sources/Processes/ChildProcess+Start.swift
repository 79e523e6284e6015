import CProcess
import Glibc
import Synchronization
import Threads

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

/// The arguments of `cprocess_start`, in Swift types.
struct Launch {
    let path: String
    let arguments: [String]
    let environment: [String: String]?
    let folder: String?
    let descriptors: [cprocess_descriptor]
    let diesWithParent: Bool
    let hasOwnGroup: Bool

    func run() -> cprocess_result {
        let path = strdup(path)
        let folder = folder.flatMap { strdup($0) }
        let arguments = makeCStrings(arguments)
        let environment = environment.map { makeCStrings($0.map { "\($0.key)=\($0.value)" }) }
        defer {
            free(path)
            free(folder)
            freeCStrings(arguments)
            if let environment { freeCStrings(environment) }
        }
        return descriptors.withUnsafeBufferPointer { descriptors in
            var request = cprocess_request(
                path: path,
                arguments: arguments,
                environment: environment,
                folder: folder,
                descriptors: descriptors.baseAddress,
                descriptor_count: descriptors.count,
                dies_with_parent: diesWithParent,
                own_group: hasOwnGroup
            )
            return cprocess_start(&request)
        }
    }
}

private typealias CStrings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Returns a C array of C strings, terminated by NULL.
private func makeCStrings(_ strings: [String]) -> CStrings {
    let array = CStrings.allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() { array[index] = strdup(string) }
    array[strings.count] = nil
    return array
}

private func freeCStrings(_ array: CStrings) {
    var index = 0
    while let string = array[index] {
        free(string)
        index += 1
    }
    array.deallocate()
}

/// Searches for an executable in `PATH`, then in `/usr/sbin` and `/sbin`, which contain servers and may not be in a
/// user's `PATH`.
///
/// - Parameter name: a name, or a path (with a slash), which is only checked.
/// - Returns: the path of an executable file, or nil if none was found.
public func findExecutable(_ name: String) -> String? {
    if name.contains("/") { return isExecutableFile(name) ? name : nil }
    if name.isEmpty { return nil }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin"]
    return folders.lazy.map { "\($0)/\(name)" }.first(where: isExecutableFile)
}

private func isExecutableFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
}

/// The thread that starts all child processes. It never ends.
///
/// PR_SET_PDEATHSIG applies to the parent *thread* that forked, not to its process: a child started by a short-lived
/// thread would be killed when the thread ends. So this thread starts all children.
final class StartingThread: Sendable {
    static let shared = StartingThread()

    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let hasJob = Semaphore()

    private init() {
        var thread = pthread_t()
        let failure = pthread_create(
            &thread,
            nil,
            { argument in
                if let argument { Unmanaged<StartingThread>.fromOpaque(argument).takeUnretainedValue().runForever() }
                return nil
            },
            Unmanaged.passRetained(self).toOpaque()
        )
        precondition(failure == 0, "the thread that starts processes cannot be created")
        pthread_detach(thread)
    }

    /// Runs a job on the thread, and returns its result.
    func run<Result: Sendable>(_ job: @escaping @Sendable () -> Result) -> Result {
        let result = Promise<Result>()
        jobs.withLock { $0.append { result.fulfill(job()) } }
        hasJob.signal()
        return result.wait()
    }

    private func runForever() {
        // Signals to the process are meant for threads that wait for them, never for this one.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, nil)
        while true {
            hasJob.wait()
            let job = jobs.withLock { $0.removeFirst() }
            job()
        }
    }
}

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

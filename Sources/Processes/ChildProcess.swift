public import Glibc
import Synchronization

/// A child process.
///
/// Any thread may send signals to the process and wait for its exit. The process id is not released to the system
/// before this object has seen the exit, so a signal never reaches an unrelated process. Releasing the object does not
/// stop the process.
public final class ChildProcess: Sendable {
    /// The process id.
    public let processID: Int32

    /// A pidfd, which becomes readable when the process ends, for any number of waiters.
    private let handle: Int32
    private let hasOwnGroup: Bool
    private let state = Mutex(State())

    private struct State {
        var status: ExitStatus?
        /// Whether to kill the process group when its leader has ended.
        var clearsGroup = false
    }

    init(processID: Int32, handle: Int32, hasOwnGroup: Bool) {
        self.processID = processID
        self.handle = handle
        self.hasOwnGroup = hasOwnGroup
    }

    deinit {
        _ = reapIfEnded()
        close(handle)
    }

    /// Sends a signal to the process, unless it has ended.
    public func send(_ signal: Int32) {
        state.withLock { state in
            if state.status == nil { kill(processID, signal) }
        }
    }

    /// Waits until the process ends, without a timeout.
    @discardableResult public func waitForExit() -> ExitStatus {
        while true {
            if let status = waitForExit(atMost: .seconds(3600)) { return status }
        }
    }

    /// Waits until the process ends, for at most `limit`.
    ///
    /// - Returns: the exit status, or nil if the process is still running.
    public func waitForExit(atMost limit: Duration) -> ExitStatus? {
        let end = ContinuousClock.now + limit
        while true {
            if let status = reapIfEnded() { return status }
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return nil }
            var entry = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, Int32(min(left / .milliseconds(1), 60_000)) + 1)
        }
    }

    /// Asks the process to end, and kills it if it does not end in time. If the process has its own group, remaining
    /// processes of the group are also killed.
    ///
    /// - Parameters:
    ///   - signal: the signal that asks. A process that was stopped by SIGSTOP is continued, so that it receives the
    ///     signal.
    ///   - patience: how long to wait before sending SIGKILL.
    /// - Returns: the exit status.
    @discardableResult public func stop(_ signal: Int32 = SIGTERM, patience: Duration = .seconds(5)) -> ExitStatus {
        state.withLock { $0.clearsGroup = hasOwnGroup }
        send(signal)
        send(SIGCONT)
        if let status = waitForExit(atMost: patience) { return status }
        send(SIGKILL)
        return waitForExit()
    }

    /// Collects the exit status once. The group is killed before `waitpid`, because the process id may be reused
    /// afterwards.
    private func reapIfEnded() -> ExitStatus? {
        state.withLock { state in
            if let status = state.status { return status }
            var entry = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 0) == 1 else { return nil }
            if state.clearsGroup { kill(-processID, SIGKILL) }
            var waitStatus: Int32 = 0
            while waitpid(processID, &waitStatus, 0) < 0, errno == EINTR {}
            let status = ExitStatus(waitStatus: waitStatus)
            state.status = status
            return status
        }
    }
}

extension ChildProcess {
    /// The destination of a process's output.
    public enum Output: Sendable {
        /// The same destination as this process.
        case inherit
        /// `/dev/null`.
        case discard
        /// Appends to a file, which is created (mode 0600) if it does not exist.
        case file(path: String)
        /// An open descriptor of this process, which stays open here.
        case descriptor(Int32)
    }
}

/// How a process ended.
public enum ExitStatus: Sendable, Equatable {
    /// The process exited with this code; 0 means success.
    case exited(Int32)
    /// A signal ended the process.
    case killed(signal: Int32)

    /// Whether the process exited with code 0.
    public var isSuccess: Bool { self == .exited(0) }

    /// Decodes the status word of `waitpid`.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .killed(signal: signal)
    }
}

/// How a process ended.
public enum ExitStatus: Sendable, Equatable {
    /// It ended by itself, with this exit code; 0 says that all went well.
    case exited(Int32)
    /// A signal ended it.
    case killed(signal: Int32)

    /// Whether the process ended by itself with code 0.
    public var isSuccess: Bool { self == .exited(0) }

    /// Reads the status word of `waitpid`.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .killed(signal: signal)
    }
}

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

/// Why a password was not hashed or verified. The reason never depends on the password: the same call may succeed
/// later.
public enum PasswordHashingError: Error, Hashable {
    /// The queue is full, or a job of a better known client displaced this one. Thrown at once.
    case busy
    /// The hash was not finished in time.
    case late
    /// Out of memory.
    case outOfMemory
}

extension PasswordHashingError {
    /// The error as a metric label.
    var word: String {
        switch self {
        case .busy: "busy"
        case .late: "late"
        case .outOfMemory: "out-of-memory"
        }
    }
}

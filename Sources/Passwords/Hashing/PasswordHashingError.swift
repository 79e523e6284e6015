/// Why a password was not hashed or verified. Independent of the password: the same call may succeed later.
public enum PasswordHashingError: Error, Hashable {
    /// The queue is full, or a better known client took the place. Thrown at once.
    case busy
    /// The hash was not finished in time.
    case late
    /// Out of memory.
    case outOfMemory
}

extension PasswordHashingError {
    /// The error in a word, for metrics.
    var word: String {
        switch self {
        case .busy: "busy"
        case .late: "late"
        case .outOfMemory: "out-of-memory"
        }
    }
}

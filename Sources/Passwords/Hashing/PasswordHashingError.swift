/// Why a password was not hashed or verified. It says nothing of the password: the same call may succeed later.
public enum PasswordHashingError: Error, Hashable {
    /// As many wait already as may. Answered at once.
    case busy
    /// It was not done in time.
    case late
    /// The system had no memory for it.
    case outOfMemory
}

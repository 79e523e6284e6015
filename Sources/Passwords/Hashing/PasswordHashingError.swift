/// Why a password was not hashed or verified. It says nothing of the password: the same call may succeed later.
public enum PasswordHashingError: Error, Hashable {
    /// The waiting room is full, or somebody of whom more is known took the place. Answered at once.
    case busy
    /// It was not done in time.
    case late
    /// The system had no memory for it.
    case outOfMemory
}

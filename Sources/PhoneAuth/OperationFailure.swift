public import Passwords
public import RedisStore

/// Why an operation was not done, through no fault of its caller.
public enum OperationFailure: Error {
    case unavailable(StoreUnavailable)
    /// Others changed the same account or identifier at the same time, again and again.
    case interrupted
    /// Other requests gave the same account other identifiers, or claimed the same identifier, each time before this
    /// one.
    case contended
    /// The cryptography library refused what is correct by construction.
    case cryptographyFailed
    /// A password was neither hashed nor verified; nil where this process does neither.
    case passwordNotHashed(PasswordHashingError?)
    /// A limit of the client's network or of its project was exceeded, or there is no room for another account.
    case notAdmitted(AdmissionRefusal)
    /// A server of the operator's did not allow it.
    case blocked(BlockingHookRefusal)
}

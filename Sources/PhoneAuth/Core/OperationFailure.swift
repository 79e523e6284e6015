public import Passwords
public import RedisScripts

/// Why an operation failed through no fault of its caller.
public enum OperationFailure: Error {
    case unavailable(StoreUnavailable)
    /// The same account or identifier kept changing concurrently.
    case interrupted
    /// Other requests repeatedly gave the same account other identifiers, or claimed the same identifier, before this
    /// one.
    case contended
    /// The cryptography library rejected input that is correct by construction.
    case cryptographyFailed
    /// A password was neither hashed nor verified; nil if this process does neither.
    case passwordNotHashed(PasswordHashingError?)
    /// A rate limit of the client's network or of the project was exceeded, or there is no room for another account.
    case notAdmitted(AdmissionRefusal)
    /// A blocking hook on one of the operator's servers denied the operation.
    case blocked(BlockingHookRefusal)
}

/// The store did not respond, or its data cannot be read. Most operations may throw this error.
public typealias StoreUnavailable = RedisScripts.StoreUnavailable

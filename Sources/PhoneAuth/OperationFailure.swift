public import RedisStore

/// Why an operation was not done, through no fault of its caller.
public enum OperationFailure: Error {
    case unavailable(StoreUnavailable)
    /// Others changed the same account or number at the same time, again and again.
    case interrupted
    /// The cryptography library refused what is correct by construction.
    case cryptographyFailed
}

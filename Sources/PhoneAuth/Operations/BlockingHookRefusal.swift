public import Encodings

/// Why hooks blocked an operation.
public enum BlockingHookRefusal: Error, Sendable {
    /// Too many requests are waiting for hooks: one more might delay requests without hooks.
    case busy
    /// A hook denied the operation.
    case denied(BlockingHookDenial)
    /// A hook gave no valid response. Hooks fail closed: without a hook's permission nothing is done.
    case failed(BlockingHookFault, of: BlockingHookEvent, hook: ServiceURL)
}

/// Why a hook's response is invalid.
public enum BlockingHookFault: Error, Equatable, Sendable {
    case timedOut
    /// A word for the log.
    case unreachable(String)
    /// The body is not a JSON object or is too long, or its `userRecord` is not an object.
    case malformed
    case updateMaskMissing
    /// The mask names a field that hooks may not change, or not for this event.
    case fieldNotChangeable
    /// The value of a field in the mask has the wrong type or is too long.
    case valueWrong(field: String)
    case claimsRefused(CustomClaimsError)
}

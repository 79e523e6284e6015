public import Encodings

/// Why hooks kept an operation from being done.
public enum BlockingHookRefusal: Error, Sendable {
    /// So many requests wait for hooks that one more might hold up what needs none.
    case busy
    /// A hook said no.
    case denied(BlockingHookDenial)
    /// A hook gave no answer that counts. What nobody allowed is not done.
    case failed(BlockingHookFault, of: BlockingHookEvent, hook: ServiceURL)
}

/// Why an answer of a hook does not count.
public enum BlockingHookFault: Error, Equatable, Sendable {
    case timedOut
    /// In a word for the log.
    case unreachable(String)
    /// It is no JSON object, is longer than any that is agreed, or has a `userRecord` that is no object.
    case malformed
    case updateMaskMissing
    /// Something that hooks may not change, or not on this occasion.
    case fieldNotChangeable
    /// The value of a field in the mask is of the wrong kind or too long.
    case valueWrong(field: String)
    case claimsRefused(CustomClaimsError)
}

/// The reason why a token could not be verified, for the log.
public enum ProviderFailure: String, Sendable, CaseIterable {
    /// The maximum number of checks is in progress; another check might block the server's other work.
    case busy
    /// No complete response before the deadline.
    case timedOut
    case unreachable
    /// A status other than 200, or not the documented JSON.
    case malformedAnswer
    /// The provider rejects the secret: the configuration must be corrected.
    case secretRefused
}

/// Why nothing is known of an answer, for the log.
public enum ProviderFailure: String, Sendable, CaseIterable {
    /// So many checks are under way that one more might hold up the server's other work.
    case busy
    /// No whole answer before the deadline.
    case timedOut
    case unreachable
    /// Another status than 200, or not the JSON that is agreed.
    case malformedAnswer
    /// The provider refuses our secret: somebody has to correct the configuration.
    case secretRefused
}

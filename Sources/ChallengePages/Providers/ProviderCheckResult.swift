/// What a provider says of an answer that its widget gave.
public enum ProviderCheckResult: Sendable, Equatable {
    /// A person, or what the provider takes for one, on a page of this host.
    case solved(hostname: String?)
    /// The same, on a page that is not the project's, or not known.
    case solvedElsewhere
    /// The answer is wrong, spent, expired or another site key's.
    case notSolved
    /// The provider did not answer in time, or not as agreed; nothing is known.
    case unavailable(ProviderFailure)
}

/// The result of verifying a widget's token with its provider.
public enum ProviderCheckResult: Sendable, Equatable {
    /// Solved by a person, according to the provider, on a page of this host.
    case solved(hostname: String?)
    /// Solved on a page that is not the project's, or that is unknown.
    case solvedElsewhere
    /// The token is invalid, already used, expired or of another site key.
    case notSolved
    /// The provider did not respond in time or not as documented, so the token is not verified.
    case unavailable(ProviderFailure)
}

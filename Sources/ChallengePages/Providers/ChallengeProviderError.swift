/// The invalid part of a provider's configuration.
public enum ChallengeProviderError: Error, Equatable {
    case siteKey
    case secret
    case verificationURL
}

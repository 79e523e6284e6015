/// Which part of a provider's configuration cannot be right.
public enum ChallengeProviderError: Error, Equatable {
    case siteKey
    case secret
    case verificationURL
}

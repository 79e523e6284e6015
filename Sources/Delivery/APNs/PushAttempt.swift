internal import OutgoingHTTP

/// One attempt at a push in one environment.
enum PushAttempt: Equatable, Sendable {
    case answered(APNsAnswer)
    case failed(TransportFailure)
    /// No provider token could be signed.
    case unsigned

    /// Whether the other environment may accept the push.
    var isAboutEnvironment: Bool {
        guard case .answered(.refused(let refusal)) = self else { return false }
        return refusal.isAboutEnvironment
    }

    /// Whether APNs reported that the provider token has expired.
    var isExpiredProviderToken: Bool {
        guard case .answered(.refused(let refusal)) = self else { return false }
        return refusal.reason == .expiredProviderToken
    }
}

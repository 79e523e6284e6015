internal import OutgoingHTTP

/// One push in one environment.
enum PushAttempt: Equatable, Sendable {
    case answered(APNsAnswer)
    case failed(TransportFailure)
    /// There was no provider token to send it with.
    case unsigned

    /// Whether the other environment may take what this one turned down.
    var isAboutEnvironment: Bool {
        guard case .answered(.refused(let refusal)) = self else { return false }
        return refusal.isAboutEnvironment
    }

    /// Whether APNs took the provider token for too old.
    var isExpiredProviderToken: Bool {
        guard case .answered(.refused(let refusal)) = self else { return false }
        return refusal.reason == .expiredProviderToken
    }
}

public import OutgoingHTTP
public import PhoneAuth

/// The outcome of a push. Each case says what the caller can do.
public enum PushOutcome: Equatable, Sendable {
    /// APNs accepted the push in this environment. If another environment was tried first, try this one first from now
    /// on.
    case delivered(PushEnvironment)
    /// The app was removed from the device, at this time if APNs reports it. Pushes to the token fail until the app
    /// registers the token again.
    case unregistered(since: Instant?)
    /// Neither environment knows the token.
    case badDeviceToken
    /// Retry: not before `after` if APNs specified it, otherwise after a delay with backoff.
    case retry(after: Duration?, RetryReason)
    /// The configuration is wrong, so retries cannot succeed.
    /// ``APNsClient/diagnose(_:topic:environments:deviceToken:)`` explains what is wrong.
    case refused(APNsReason)

    /// Returns the outcome of one attempt in `environment`, without regard to the other environment.
    init(_ attempt: PushAttempt, in environment: PushEnvironment) {
        switch attempt {
        case .answered(.accepted): self = .delivered(environment)
        case .answered(.refused(let refusal)): self.init(refusal)
        case .failed(let failure): self = .retry(after: nil, .transport(failure))
        case .unsigned: self = .retry(after: nil, .unsigned)
        }
    }

    private init(_ refusal: APNsRefusal) {
        switch refusal.reason {
        case .badDeviceToken:
            self = .badDeviceToken
        case .unregistered, .expiredToken, .other(status: 410):
            self = .unregistered(since: refusal.invalidSince)
        case .idleTimeout, .internalServerError, .serviceUnavailable, .shutdown, .tooManyProviderTokenUpdates,
            .tooManyRequests, .other(status: 429), .other(status: 500...599):
            self = .retry(after: refusal.retryAfter, .answered(refusal.reason))
        default:
            self = .refused(refusal.reason)
        }
    }
}

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

/// The reason why a push may succeed later.
public enum RetryReason: Hashable, Sendable, CustomStringConvertible {
    /// APNs returned this reason.
    case answered(APNsReason)
    /// APNs did not respond.
    case transport(TransportFailure)
    /// No provider token could be signed.
    case unsigned

    /// A few words for a log or a metric's label.
    public var description: String {
        switch self {
        case .answered(let reason): reason.description
        case .transport(let failure): "\(failure)"
        case .unsigned: "unsigned"
        }
    }
}

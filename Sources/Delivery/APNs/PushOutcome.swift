public import PhoneAuth
public import RedisStore

/// What became of a push. Each case names what the caller can do about it.
public enum PushOutcome: Equatable, Sendable {
    /// APNs took it, in this environment. When it is not the one that was tried first, try this one first from now on.
    case delivered(PushEnvironment)
    /// The app is gone from the device, since this moment if APNs told it. Nothing reaches the token unless the app registers it anew.
    case unregistered(since: Instant?)
    /// Neither environment knows the token.
    case badDeviceToken
    /// Try again, not before `after` where APNs named a time, and else as ``RetryBackoff`` says.
    case retry(after: Duration?, RetryReason)
    /// A fault of the configuration: no second try mends it. ``APNsClient/diagnose(_:topic:environments:deviceToken:)`` explains it.
    case refused(APNsReason)

    /// What one attempt in `environment` comes to, were there no other environment.
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

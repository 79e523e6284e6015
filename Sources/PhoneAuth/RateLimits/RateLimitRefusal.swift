internal import RedisScripts

/// A rate limit that refused an operation.
public struct RateLimitRefusal: Hashable, Sendable, CustomStringConvertible {
    let exceeded: ExceededRateLimit

    init(_ exceeded: ExceededRateLimit) { self.exceeded = exceeded }

    /// Whose events the limit counts, such as "device"; for the operator's log.
    public var scope: String { exceeded.limit.scope.name }

    /// Whether unrelated users share the limit, so that the operator must know when it is exceeded.
    public var isShared: Bool { exceeded.limit.scope.isShared }

    /// How long until there is room for one more event.
    public var retryAfter: Duration { exceeded.retryAfter }

    /// The limit with its value and window, for the operator's log.
    public var description: String { exceeded.description }
}

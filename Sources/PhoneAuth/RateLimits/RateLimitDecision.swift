public import Encodings
internal import Metrics
internal import RedisScripts

/// Whether an event may happen.
enum RateLimitDecision: Sendable {
    /// The event may happen and has been counted. The refund takes back what counts only if the event has a certain
    /// outcome. It is nil if there is nothing to take back, or if another call has counted the same event.
    case allowed(refund: RateLimitRefund?)
    /// The event must not happen, and is not counted.
    case exceeded(ExceededRateLimit)

    /// Returns the refund of an event that is allowed.
    ///
    /// ```swift
    /// let refund = try store.decide(event, now: now).refund(orThrow: Refusal.limited)
    /// ```
    /// - Throws: the caller's `refusal` if a limit was exceeded.
    func refund<Refusal: Error>(
        orThrow refusal: (ExceededRateLimit) -> Refusal
    ) throws(Refusal) -> RateLimitRefund? {
        switch self {
        case .allowed(let refund): return refund
        case .exceeded(let exceeded): throw refusal(exceeded)
        }
    }
}

/// A rate limit that was exceeded.
public struct ExceededRateLimit: Hashable, Sendable, CustomStringConvertible {
    /// The limit.
    public let limit: RateLimit
    /// The number of events in its window.
    let events: Int
    /// How much of the maximum was not available to this client, because it is reserved for others.
    let reserved: Int
    /// How long until there is room for one more event.
    public let retryAfter: Duration

    /// Reads a script's reply: "limited", then index of the limit from 1, events, retry after (ms) and reserved part.
    init(_ reply: ScriptReply, of limits: [RateLimit]) throws(StoreUnavailable) {
        let index = Int(try reply.integer(at: 1)) - 1
        guard limits.indices.contains(index) else { throw .unexpectedReply }
        limit = limits[index]
        events = Int(try reply.integer(at: 2))
        retryAfter = .milliseconds(try reply.integer(at: 3))
        reserved = Int(try reply.integer(at: 4))
    }

    /// Creates the refusal that a limit's script replied.
    init(_ limit: RateLimit, events: Int64, reserved: Int, retryAfterMilliseconds: Int64) {
        self.limit = limit
        self.events = Int(events)
        self.reserved = reserved
        retryAfter = .milliseconds(retryAfterMilliseconds)
    }

    /// Counts the refusal in the metrics, and returns this value.
    func reported() -> ExceededRateLimit {
        MetricFamily.rateLimitsExceeded.count(limit.event.rawValue, limit.scope.name)
        return self
    }

    /// The limit with its value and window, for the operator's log.
    public var description: String {
        let known =
            limit.event == .wrongPasswords
            ? "known networks" : "known clients and requests with the account's ID token"
        return "\(events) of \(limit.window.maximum) \(limit.name) in \(limit.window.milliseconds / 1000) s"
            + (reserved > 0 ? ", \(reserved) of them reserved for \(known)" : "")
    }
}

/// How much of a rate limit is used.
public struct RateLimitUsage: Sendable {
    /// The limit.
    public let limit: RateLimit
    /// The number of events that count.
    public let events: Int
    /// When one event no longer counts; nil if none does.
    public let nextLeaves: Instant?
}

/// A counted event that can be taken back from some of the limits that counted it (refund).
struct RateLimitRefund: Sendable {
    let project: String
    let eventID: String
    let limits: [RateLimit]
}

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

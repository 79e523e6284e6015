public import Encodings
internal import Metrics

/// Whether an event may happen.
public enum RateLimitDecision: Hashable, Sendable {
    /// The event may happen and has been counted. The refund takes back what is counted only if the event has a
    /// certain outcome; nil if nothing is, or if another call of the same event may have the refund.
    case allowed(refund: RateLimitRefund?)
    /// The event must not happen. Nothing has changed.
    case exceeded(ExceededRateLimit)
}

/// A rate limit that was exceeded.
public struct ExceededRateLimit: Hashable, Sendable, CustomStringConvertible {
    /// The limit.
    public let limit: RateLimit
    /// The number of events in its window.
    public let events: Int
    /// How much of the maximum was not available to this client, because it is reserved for known clients.
    public let reserved: Int
    /// How long until there is room for one more event.
    public let retryAfter: Duration

    /// Reads a script's reply, and counts it in the metrics: "limited", then index of the limit from 1, events, retry
    /// after (ms) and reserved part.
    init(_ reply: ScriptReply, of limits: [RateLimit]) throws(StoreUnavailable) {
        let index = Int(try reply.integer(at: 1)) - 1
        guard limits.indices.contains(index) else { throw .unexpectedReply }
        limit = limits[index]
        events = Int(try reply.integer(at: 2))
        retryAfter = .milliseconds(try reply.integer(at: 3))
        reserved = Int(try reply.integer(at: 4))
        MetricFamily.rateLimitsExceeded.count(limit.event.rawValue, limit.scope.name)
    }

    /// The limit with its value and window, for the operator's log.
    public var description: String {
        "\(events) of \(limit.window.maximum) \(limit.name) in \(limit.window.milliseconds / 1000) s"
            + (reserved > 0 ? ", \(reserved) of them kept for clients that signed in with the number before" : "")
    }
}

/// How much of a rate limit is used.
public struct RateLimitUsage: Sendable {
    /// The limit.
    public let limit: RateLimit
    /// The number of events in the limit's window.
    public let events: Int
    /// When the oldest event leaves the window and makes room; nil if the window is empty.
    public let oldestLeaves: Instant?
}

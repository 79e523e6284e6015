public import RedisStore

/// A rate limit on messages that was exceeded.
public struct ExceededLimit: Hashable, Sendable, CustomStringConvertible {
    /// The scope of the limit.
    public let scope: SendCounter.Scope
    /// The length of the limit's sliding window.
    public let window: Duration
    /// The maximum number of messages in the window.
    public let maximum: Int
    /// The number of messages in the window.
    public let sends: Int
    /// The part of the maximum that was not available to this client, because it is reserved for clients that signed in
    /// with the number before.
    public let reserved: Int
    /// The time until the limit allows another message.
    public let retryAfter: Duration

    init(_ exceeded: ExceededSendLimit) {
        scope = exceeded.limit.counter.scope
        window = .milliseconds(exceeded.limit.windowMilliseconds)
        maximum = exceeded.limit.maximum
        sends = exceeded.sends
        reserved = exceeded.reserved
        retryAfter = .milliseconds(exceeded.retryAfterMilliseconds)
    }

    /// The limit with its value and window, for the operator's log.
    public var description: String {
        "\(sends) of \(maximum) sends per \(scope.rawValue) in \(window.components.seconds) s"
            + (reserved > 0 ? ", \(reserved) of them kept for clients that signed in with the number before" : "")
    }
}

public import RedisStore

/// A limit on messages that forbade one.
public struct ExceededLimit: Hashable, Sendable, CustomStringConvertible {
    /// Which limit.
    public let scope: SendCounter.Scope
    /// How long its window is.
    public let window: Duration
    /// How many messages there may be in the window.
    public let maximum: Int
    /// How many there are.
    public let sends: Int
    /// How many of the maximum were kept from this client, for clients that signed in with the number before.
    public let reserved: Int
    /// How long until there is room for one more.
    public let retryAfter: Duration

    init(_ exceeded: ExceededSendLimit) {
        scope = exceeded.limit.counter.scope
        window = .milliseconds(exceeded.limit.windowMilliseconds)
        maximum = exceeded.limit.maximum
        sends = exceeded.sends
        reserved = exceeded.reserved
        retryAfter = .milliseconds(exceeded.retryAfterMilliseconds)
    }

    /// Limit, value and window, for the operator's log.
    public var description: String {
        "\(sends) of \(maximum) sends per \(scope.rawValue) in \(window.components.seconds) s"
            + (reserved > 0 ? ", \(reserved) of them kept for clients that signed in with the number before" : "")
    }
}

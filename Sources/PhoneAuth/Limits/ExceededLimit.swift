internal import RedisStore

/// A limit on messages that forbade one.
public struct ExceededLimit: Hashable, Sendable, CustomStringConvertible {
    /// What a limit counts messages by; the raw value is its name in logs and on the command line.
    public enum Scope: String, Sendable, CaseIterable {
        case number
        case network
        case appCredential = "app credential"
        case project
        case deployment
    }

    /// Which limit.
    public let scope: Scope
    /// How long its window is.
    public let window: Duration
    /// How many messages there may be in the window.
    public let maximum: Int
    /// How many there are.
    public let sends: Int
    /// How long until there is room for one more.
    public let retryAfter: Duration

    init(_ exceeded: ExceededSendLimit) {
        scope = Scope(exceeded.limit.counter)
        window = .milliseconds(exceeded.limit.windowMilliseconds)
        maximum = exceeded.limit.maximum
        sends = exceeded.sends
        retryAfter = .milliseconds(exceeded.retryAfterMilliseconds)
    }

    /// Limit, value and window, for the operator's log.
    public var description: String {
        "\(sends) of \(maximum) sends per \(scope.rawValue) in \(window.components.seconds) s"
    }
}

extension ExceededLimit.Scope {
    init(_ counter: SendCounter) {
        self =
            switch counter {
            case .number: .number
            case .network: .network
            case .pushReceipt: .appCredential
            case .project: .project
            case .deployment: .deployment
            }
    }
}

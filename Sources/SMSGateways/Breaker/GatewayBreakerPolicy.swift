/// When a gateway counts as ill, and how carefully it is tried again.
public struct GatewayBreakerPolicy: Sendable {
    /// How far back calls count.
    public var window: Duration = .seconds(60)
    /// How many calls at most are remembered, whatever the window.
    public var maximumCalls = 1000
    /// How many calls there must be in the window before any are judged.
    public var minimumCalls = 10
    /// The share of errors from which on the breaker opens, in percent.
    public var errorPercent = 50
    /// A call that took longer is an error, whatever it brought.
    public var slowCall: Duration = .seconds(5)
    /// The breaker also opens when the 95th percentile of the calls' times is longer than this…
    public var maximumP95: Duration = .seconds(8)
    /// …of so many calls at least: with 20, one slow call is not enough.
    public var minimumCallsForP95 = 20
    /// How long the breaker is open at first. Each trial that fails doubles it…
    public var firstBackoff: Duration = .seconds(10)
    /// …up to this.
    public var maximumBackoff: Duration = .seconds(300)
    /// How many trials in a row must succeed until the breaker closes.
    public var successesToClose = 3
    /// After how long a trial that did not report counts as failed; longer than any call.
    public var trialDeadline: Duration = .seconds(30)

    /// What suits gateways that answer in a second.
    public init() {}
}

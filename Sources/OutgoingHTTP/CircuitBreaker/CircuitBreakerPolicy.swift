/// The thresholds of a circuit breaker: when it opens, and how it closes again.
public struct CircuitBreakerPolicy: Sendable {
    /// The length of the sliding window.
    public var window: Duration = .seconds(60)
    /// The maximum number of calls in the window.
    public var maximumCalls = 1000
    /// The minimum number of calls in the window; with fewer, the breaker does not open.
    public var minimumCalls = 10
    /// The error rate, in percent, at which the breaker opens.
    public var errorPercent = 50
    /// A call that took longer is a failure, whatever its result.
    public var slowCall: Duration = .seconds(5)
    /// The breaker also opens if the 95th percentile of the calls' durations exceeds this limit.
    public var maximumP95: Duration = .seconds(8)
    /// The minimum number of calls for the 95th percentile: with 20, one slow call is not enough.
    public var minimumCallsForP95 = 20
    /// How long the breaker is open at first. Each failed trial doubles the time.
    public var firstBackoff: Duration = .seconds(10)
    /// The maximum time that the breaker is open before the next trial.
    public var maximumBackoff: Duration = .seconds(300)
    /// The number of successful trials in a row that close the breaker.
    public var successesToClose = 3
    /// The time after which a trial without a result counts as failed; longer than any call.
    public var trialDeadline: Duration = .seconds(30)

    /// Creates a policy with defaults for servers that respond within a second.
    public init() {}
}

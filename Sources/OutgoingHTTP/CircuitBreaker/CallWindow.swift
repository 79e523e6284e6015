/// A sliding window of recent calls, with counts of failed and slow calls.
struct CallWindow: Sendable {
    private struct Call: Sendable {
        let time: ContinuousClock.Instant
        let isError: Bool
        let isOverP95: Bool
    }

    private let policy: CircuitBreakerPolicy
    private var calls: [Call] = []
    /// The index in `calls` at which the window begins. Older entries are removed in batches.
    private var start = 0
    private var errors = 0
    private var overP95 = 0

    init(_ policy: CircuitBreakerPolicy) {
        self.policy = policy
    }

    private var count: Int { calls.count - start }

    mutating func add(isError: Bool, took duration: Duration, at now: ContinuousClock.Instant) {
        let call = Call(time: now, isError: isError, isOverP95: duration > policy.maximumP95)
        calls.append(call)
        count(call, 1)
        while count > max(1, policy.maximumCalls) { dropFirst() }
        while start < calls.count, calls[start].time + policy.window <= now { dropFirst() }
        if start > 64, start * 2 > calls.count {
            calls.removeFirst(start)
            start = 0
        }
    }

    /// Whether the window exceeds the policy's error rate or 95th percentile, so that the breaker must open.
    var isFailing: Bool {
        guard count > 0, count >= policy.minimumCalls else { return false }
        if errors * 100 >= policy.errorPercent * count { return true }
        // The nearest-rank percentile exceeds the limit if more calls exceed the limit than rank above the percentile.
        let rank = (count * 95 + 99) / 100
        return count >= policy.minimumCallsForP95 && overP95 > count - rank
    }

    private mutating func dropFirst() {
        count(calls[start], -1)
        start += 1
    }

    private mutating func count(_ call: Call, _ change: Int) {
        if call.isError { errors += change }
        if call.isOverP95 { overP95 += change }
    }
}

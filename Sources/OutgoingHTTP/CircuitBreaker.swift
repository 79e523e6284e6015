/// A circuit breaker. It keeps calls away from a server that fails or is slow, so that callers can choose another
/// server at once.
///
/// - Closed: every call is permitted, and the calls of the policy's window are counted. If too many of them failed or
///   were slow, the breaker opens.
/// - Open: no call is permitted until the backoff is over.
/// - Half-open: one trial call at a time is permitted. If a trial fails, the breaker opens again for twice as long.
///   Enough successful trials in a row close the breaker.
///
/// A plain value, one per server and process, guarded by its owner's lock. The caller supplies the time.
///
/// ```swift
/// guard let permit = breaker.permit(at: start) else { return useAnotherServer() }
/// let isFine = callServer()
/// breaker.record(isFine ? .success : .failure, took: .now - start, permit: permit, at: .now)
/// ```
public struct CircuitBreaker: Sendable {
    /// The state of a circuit breaker.
    public enum State: String, Sendable, CaseIterable {
        case closed
        case open
        case halfOpen = "half-open"
    }

    /// The permission to make one call. Return it with ``record(_:took:permit:at:)`` or ``release(_:)``.
    public struct Permit: Sendable {
        /// The breaker's generation when the permit was issued. Results from an earlier generation are ignored.
        fileprivate let generation: Int
    }

    /// The result of a call.
    public enum CallResult: Sendable {
        /// The server did its job, even if it refused the call.
        case success
        /// An error of the server, or of the operator's account there.
        case failure
        /// Neither a success nor a failure.
        case cancelled
    }

    private enum Mode: Sendable {
        case closed(CallWindow)
        case open(until: ContinuousClock.Instant, backoff: Duration)
        case halfOpen(trialSince: ContinuousClock.Instant?, successes: Int, backoff: Duration)
    }

    private let policy: CircuitBreakerPolicy
    private var mode: Mode
    private var generation = 0

    /// Creates a closed breaker.
    public init(_ policy: CircuitBreakerPolicy = CircuitBreakerPolicy()) {
        self.policy = policy
        mode = .closed(CallWindow(policy))
    }

    /// The state as of the last call of ``permit(at:)`` or ``record(_:took:permit:at:)``.
    public var state: State {
        switch mode {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        }
    }

    /// Requests permission to call the server. Returns nil if the caller should choose another server.
    public mutating func permit(at now: ContinuousClock.Instant) -> Permit? {
        if case .halfOpen(let since?, _, let backoff) = mode, now >= since + policy.trialDeadline {
            open(for: doubled(backoff), at: now)
        }
        if case .open(let until, let backoff) = mode, now >= until {
            enter(.halfOpen(trialSince: nil, successes: 0, backoff: backoff))
        }
        switch mode {
        case .closed: break
        case .open, .halfOpen(_?, _, _): return nil
        case .halfOpen(nil, let successes, let backoff):
            enter(.halfOpen(trialSince: now, successes: successes, backoff: backoff))
        }
        return Permit(generation: generation)
    }

    /// The number of calls that a breaker would permit.
    public enum Prospect: Sendable {
        case any
        /// One trial call.
        case one
        case none
    }

    /// Returns how many calls ``permit(at:)`` would permit at this time.
    public func prospect(at now: ContinuousClock.Instant) -> Prospect {
        switch mode {
        case .closed: .any
        case .open(let until, _): now >= until ? .one : .none
        // An overdue trial: the caller has to ask for a permit, which counts the trial as failed.
        case .halfOpen(let since, _, _): since.map { now >= $0 + policy.trialDeadline } ?? true ? .one : .none
        }
    }

    /// Returns a permit that was not used.
    public mutating func release(_ permit: Permit) {
        guard permit.generation == generation, case .halfOpen(_?, let successes, let backoff) = mode else { return }
        enter(.halfOpen(trialSince: nil, successes: successes, backoff: backoff))
    }

    /// Records the outcome of a call.
    ///
    /// - Parameters:
    ///   - result: the result of the call.
    ///   - duration: how long the call took.
    ///   - permit: the permit of the call.
    ///   - now: when the call ended.
    public mutating func record(
        _ result: CallResult,
        took duration: Duration,
        permit: Permit,
        at now: ContinuousClock.Instant
    ) {
        guard permit.generation == generation else { return }
        let isError = result == .failure || duration > policy.slowCall
        switch mode {
        case .closed where result == .cancelled, .open: break
        case .closed(var window):
            window.add(isError: isError, took: duration, at: now)
            mode = .closed(window)
            if window.isFailing { open(for: min(policy.firstBackoff, policy.maximumBackoff), at: now) }
        case .halfOpen(_, let successes, let backoff):
            if result == .cancelled {
                enter(.halfOpen(trialSince: nil, successes: successes, backoff: backoff))
            } else if isError {
                open(for: doubled(backoff), at: now)
            } else if successes + 1 >= policy.successesToClose {
                enter(.closed(CallWindow(policy)))
            } else {
                enter(.halfOpen(trialSince: nil, successes: successes + 1, backoff: backoff))
            }
        }
    }

    private func doubled(_ backoff: Duration) -> Duration { min(backoff * 2, policy.maximumBackoff) }

    private mutating func open(for backoff: Duration, at now: ContinuousClock.Instant) {
        enter(.open(until: now + backoff, backoff: backoff))
    }

    private mutating func enter(_ mode: Mode) {
        self.mode = mode
        generation += 1
    }
}

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

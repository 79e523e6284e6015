/// Keeps messages from a gateway that fails or is slow, so that they go to the next one at once.
///
/// Closed, it lets every call through and watches the last minute. When too many of the calls failed or took too long it opens, and lets none
/// through for a while. Then it lets through one at a time, as a trial: the message goes to the next gateway if that fails, too. Some trials
/// in a row that succeed close it; one that fails opens it for twice as long.
///
/// A plain value: one a gateway and process, behind its owner's lock. Time comes from the caller.
public struct GatewayBreaker: Sendable {
    /// What the breaker does with calls.
    public enum State: String, Sendable, CaseIterable {
        case closed
        case open
        case halfOpen = "half-open"
    }

    /// The leave to make one call. Give it back with what the call came to.
    public struct Permit: Sendable {
        /// What was current when it was given; a result of an earlier time says nothing about now.
        fileprivate let generation: Int
    }

    private enum Mode: Sendable {
        case closed(CallWindow)
        case open(until: ContinuousClock.Instant, backoff: Duration)
        case halfOpen(trialSince: ContinuousClock.Instant?, successes: Int, backoff: Duration)
    }

    private let policy: GatewayBreakerPolicy
    private var mode: Mode
    private var generation = 0

    /// A closed breaker.
    public init(_ policy: GatewayBreakerPolicy = GatewayBreakerPolicy()) {
        self.policy = policy
        mode = .closed(CallWindow(policy))
    }

    /// What it does with calls, as of the last call of ``permit(at:)`` or ``record(_:took:permit:at:)``.
    public var state: State {
        switch mode {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        }
    }

    /// Asks to call the gateway; nil where the message should go to the next one.
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

    /// How many calls a breaker would let through.
    public enum Prospect: Sendable {
        case any
        /// A trial.
        case one
        case none
    }

    /// How many calls ``permit(at:)`` would let through at this time.
    public func prospect(at now: ContinuousClock.Instant) -> Prospect {
        switch mode {
        case .closed: .any
        case .open(let until, _): now >= until ? .one : .none
        // A trial that is overdue is found by asking for a permit.
        case .halfOpen(let since, _, _): since.map { now >= $0 + policy.trialDeadline } ?? true ? .one : .none
        }
    }

    /// Takes back a permit that was not used.
    public mutating func giveBack(_ permit: Permit) {
        guard permit.generation == generation, case .halfOpen(_?, let successes, let backoff) = mode else { return }
        enter(.halfOpen(trialSince: nil, successes: successes, backoff: backoff))
    }

    /// Tells what a call came to.
    ///
    /// - Parameters:
    ///   - outcome: the gateway's outcome. A refusal is an answer, not an error; a call that was cancelled says nothing.
    ///   - duration: how long it took.
    ///   - permit: the leave that it had.
    ///   - now: when it ended.
    public mutating func record(
        _ outcome: GatewayOutcome,
        took duration: Duration,
        permit: Permit,
        at now: ContinuousClock.Instant
    ) {
        guard permit.generation == generation else { return }
        let isError = outcome.isGatewayError || duration > policy.slowCall
        switch mode {
        case .closed where outcome.isCancelled, .open: break
        case .closed(var window):
            window.add(isError: isError, took: duration, at: now)
            mode = .closed(window)
            if window.isIll { open(for: min(policy.firstBackoff, policy.maximumBackoff), at: now) }
        case .halfOpen(_, let successes, let backoff):
            if outcome.isCancelled {
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

extension GatewayOutcome {
    /// Whether it tells of a fault of the gateway or of its account rather than of one number or message.
    fileprivate var isGatewayError: Bool {
        switch self {
        case .accepted, .refused: false
        case .retry, .uncertain, .misconfigured: true
        }
    }

    fileprivate var isCancelled: Bool {
        switch self {
        case .retry(_, let trouble), .uncertain(let trouble): trouble.kind == .cancelled
        case .accepted, .refused, .misconfigured: false
        }
    }
}

import OutgoingHTTP
import TestServers
import Testing

@Suite struct CircuitBreakerModelTests {
    @Test("random calls are admitted as by a model that remembers everything", arguments: 0..<60)
    func agrees(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        var policy = CircuitBreakerPolicy()
        policy.maximumCalls = [15, 40, 1000][seed % 3]
        policy.minimumCallsForP95 = [12, 20][seed % 2]
        var breaker = CircuitBreaker(policy)
        var model = BreakerModel(policy: policy)
        let start = ContinuousClock.now
        var time: Duration = .zero
        var underWay: [(CircuitBreaker.Permit, Int)] = []
        var opened = 0
        var closed = 0
        var previous = breaker.state
        // Calm and troubled periods alternate, so that the breaker opens and closes.
        var errorPercent = 0
        for step in 0..<2500 {
            if step.isMultiple(of: 120) { errorPercent = [0, 5, 30, 60, 100].randomElement(using: &random) ?? 0 }
            time += .milliseconds(Int.random(in: 0...4000, using: &random))
            if underWay.isEmpty || Int.random(in: 0..<10, using: &random) < 6 {
                let permit = breaker.permit(at: start + time)
                let number = model.permit(at: time)
                #expect((permit == nil) == (number == nil), "step \(step)")
                if let permit, let number { underWay.append((permit, number)) }
            } else {
                let (permit, number) = underWay.remove(at: Int.random(in: 0..<underWay.count, using: &random))
                let roll = Int.random(in: 0..<100, using: &random)
                let result: CircuitBreaker.CallResult =
                    roll < errorPercent ? .failure : roll == 99 ? .cancelled : .success
                let slow = Int.random(in: 0..<100, using: &random) < 4
                let took: Duration = slow ? .milliseconds(Int.random(in: 4000...9500, using: &random)) : .seconds(1)
                breaker.record(result, took: took, permit: permit, at: start + time)
                model.record(
                    isError: result == .failure,
                    isCancelled: result == .cancelled,
                    took: took,
                    number: number,
                    at: time
                )
            }
            #expect(breaker.state == model.state, "step \(step)")
            if breaker.state == .open, previous != .open { opened += 1 }
            if breaker.state == .closed, previous != .closed { closed += 1 }
            previous = breaker.state
        }
        #expect(opened > 1)
        #expect(closed > 0)
    }
}

/// The rules as they are documented, with all past calls in one list.
private struct BreakerModel {
    let policy: CircuitBreakerPolicy
    private(set) var state = CircuitBreaker.State.closed
    private var calls: [(time: Duration, isError: Bool, took: Duration)] = []
    private var openUntil: Duration = .zero
    private var backoff: Duration = .zero
    private var trial: (number: Int, since: Duration)?
    private var successes = 0
    private var nextNumber = 0
    /// The calls that began since the breaker last closed.
    private var current: Set<Int> = []

    init(policy: CircuitBreakerPolicy) {
        self.policy = policy
    }

    mutating func permit(at now: Duration) -> Int? {
        if state == .halfOpen, let trial, now - trial.since >= policy.trialDeadline { open(at: now) }
        if state == .open, now >= openUntil { (state, trial, successes) = (.halfOpen, nil, 0) }
        guard state == .closed || (state == .halfOpen && trial == nil) else { return nil }
        nextNumber += 1
        if state == .closed { current.insert(nextNumber) } else { trial = (nextNumber, now) }
        return nextNumber
    }

    mutating func record(isError: Bool, isCancelled: Bool, took: Duration, number: Int, at now: Duration) {
        let isError = isError || took > policy.slowCall
        if state == .closed, current.remove(number) != nil, !isCancelled {
            calls.append((now, isError, took))
            let recent = calls.suffix(policy.maximumCalls).filter { now - $0.time < policy.window }
            let times = recent.map(\.took).sorted()
            let errors = recent.filter(\.isError).count
            let tooMany = Double(errors) / Double(recent.count) >= Double(policy.errorPercent) / 100
            let rank = Int((Double(times.count) * 0.95).rounded(.up))
            let tooSlow = times.count >= policy.minimumCallsForP95 && times[rank - 1] > policy.maximumP95
            if recent.count >= policy.minimumCalls, tooMany || tooSlow { open(at: now) }
        } else if state == .halfOpen, trial?.number == number {
            trial = nil
            if isCancelled { return }
            if isError { return open(at: now) }
            successes += 1
            guard successes == policy.successesToClose else { return }
            (state, calls, current, backoff) = (.closed, [], [], .zero)
        }
    }

    private mutating func open(at now: Duration) {
        backoff = backoff == .zero ? policy.firstBackoff : min(backoff * 2, policy.maximumBackoff)
        (state, openUntil, calls, current, trial) = (.open, now + backoff, [], [], nil)
    }
}

import OutgoingHTTP
import Testing

@Suite final class CircuitBreakerTests {
    static let fast: Duration = .milliseconds(100)

    private var breaker = CircuitBreaker()
    private var now = ContinuousClock.now

    private func nextPermit() -> CircuitBreaker.Permit? { breaker.permit(at: now) }

    /// Makes a call that begins and ends now, and returns whether it was admitted.
    @discardableResult private func call(_ result: CircuitBreaker.CallResult, took: Duration = fast) -> Bool {
        guard let permit = nextPermit() else { return false }
        breaker.record(result, took: took, permit: permit, at: now)
        return true
    }

    @Test("the circuit breaker opens if half of ten calls in a minute fail")
    func errorRate() {
        for _ in 0..<4 { call(.failure) }
        for _ in 0..<5 { call(.success) }
        #expect(breaker.state == .closed)
        call(.failure)
        #expect(breaker.state == .open)
    }

    @Test("nine failures are too few, and old failures do not count")
    func window() {
        for _ in 0..<9 { call(.failure) }
        now += .seconds(60)
        for _ in 0..<9 { call(.failure) }
        #expect(breaker.state == .closed)
        call(.failure)
        #expect(breaker.state == .open)
    }

    @Test("successful calls keep the breaker closed, and cancelled calls do not count")
    func noErrors() {
        for _ in 0..<100 { call(.success) }
        for _ in 0..<100 { call(.cancelled) }
        #expect(breaker.state == .closed)
    }

    @Test("slow calls count as failures, whatever their result")
    func slowness() {
        for _ in 0..<10 { call(.success, took: .milliseconds(5001)) }
        #expect(breaker.state == .open)
        breaker = CircuitBreaker()
        for _ in 0..<100 { call(.success, took: .seconds(5)) }
        #expect(breaker.state == .closed)
    }

    @Test("the 95th percentile of twenty calls is the nineteenth")
    func percentile() {
        for _ in 0..<18 { call(.success) }
        call(.success, took: .seconds(9))
        #expect(breaker.state == .closed)
        call(.success)
        #expect(breaker.state == .closed)
        call(.success, took: .seconds(9))
        #expect(breaker.state == .open)
    }

    @Test("after its open time, the breaker is half-open: one trial at a time, and three successes close it")
    func halfOpen() throws {
        for _ in 0..<10 { call(.failure) }
        #expect(!call(.success))
        now += .milliseconds(9_999)
        #expect(!call(.success))
        now += .milliseconds(1)
        for trial in 1...3 {
            let permit = try #require(nextPermit())
            #expect(breaker.state == .halfOpen)
            #expect(nextPermit() == nil)
            breaker.record(.success, took: Self.fast, permit: permit, at: now)
            #expect(breaker.state == (trial == 3 ? .closed : .halfOpen))
        }
        // Earlier calls no longer count.
        for _ in 0..<9 { call(.failure) }
        #expect(breaker.state == .closed)
    }

    @Test("each failed trial doubles the open time, up to five minutes")
    func doubling() {
        for _ in 0..<10 { call(.failure) }
        for seconds in [10, 20, 40, 80, 160, 300, 300] {
            now += .seconds(seconds) - .nanoseconds(1)
            #expect(!call(.failure))
            now += .nanoseconds(1)
            #expect(call(.failure))
            #expect(breaker.state == .open)
        }
    }

    @Test("a failure after successful trials opens the breaker again")
    func mixedTrials() {
        for _ in 0..<10 { call(.failure) }
        now += .seconds(10)
        call(.success)
        call(.success)
        call(.failure)
        #expect(breaker.state == .open)
        now += .seconds(19)
        #expect(!call(.success))
        now += .seconds(1)
        #expect(call(.success))
    }

    @Test("a cancelled trial makes room for another, and a trial without a result counts as failed")
    func lostTrials() throws {
        for _ in 0..<10 { call(.failure) }
        now += .seconds(10)
        #expect(call(.cancelled))
        let lost = try #require(nextPermit())
        now += .seconds(29)
        #expect(nextPermit() == nil)
        now += .seconds(1)
        #expect(nextPermit() == nil)
        #expect(breaker.state == .open)
        breaker.record(.success, took: Self.fast, permit: lost, at: now)
        #expect(breaker.state == .open)
        now += .seconds(20)
        #expect(nextPermit() != nil)
    }

    @Test("calls that began before the breaker opened do not count as trials")
    func lateResults() throws {
        let late = try (0..<5).map { _ in try #require(self.nextPermit()) }
        for _ in 0..<10 { call(.failure) }
        now += .seconds(10)
        let trial = try #require(nextPermit())
        for permit in late { breaker.record(.success, took: Self.fast, permit: permit, at: now) }
        #expect(breaker.state == .halfOpen)
        #expect(nextPermit() == nil)
        breaker.record(.failure, took: Self.fast, permit: trial, at: now)
        #expect(breaker.state == .open)
    }

    @Test("the breaker reports how many calls it would admit, and an unused permit frees its trial")
    func prospect() throws {
        #expect(breaker.prospect(at: now) == .any)
        for _ in 0..<10 { call(.failure) }
        #expect(breaker.prospect(at: now) == .none)
        now += .seconds(10)
        #expect(breaker.prospect(at: now) == .one)
        let permit = try #require(nextPermit())
        #expect(breaker.prospect(at: now) == .none)
        #expect(nextPermit() == nil)
        breaker.release(permit)
        #expect(breaker.prospect(at: now) == .one)
        #expect(call(.success))
    }
}

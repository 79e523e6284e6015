import Testing

@testable import Redis

@Suite struct BackoffTests {
    @Test("each failure doubles the delay up to its maximum, and a success resets it")
    func doubles() {
        var backoff = Backoff(first: .milliseconds(50), maximum: .seconds(1))
        let now = ContinuousClock.now
        #expect(backoff.isOver(at: now))
        for milliseconds in [50, 100, 200, 400, 800, 1000, 1000] {
            backoff.failed(at: now)
            #expect(!backoff.isOver(at: now + .milliseconds(milliseconds / 2 - 1)))
            #expect(backoff.isOver(at: now + .milliseconds(milliseconds)))
        }
        backoff.succeeded()
        #expect(backoff.isOver(at: now))
        backoff.failed(at: now)
        #expect(backoff.isOver(at: now + .milliseconds(50)))
    }
}

import TestServers
import Testing
import Threads

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

    @Test("the delay's bound doubles up to its maximum, and full jitter uses the whole range")
    func fullJitter() {
        let backoff = Backoff(first: .seconds(1), maximum: .seconds(10), jitter: 0...1)
        var generator = SplitMix(seed: 3)
        for (failures, bound) in [(0, 1), (1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (6, 10), (1000, 10), (Int.max, 10)] {
            let delays = (0..<200).map { _ in backoff.delay(afterFailures: failures, using: &generator) }
            #expect(delays.allSatisfy { $0 >= .zero && $0 <= .seconds(bound) })
            // The delays are drawn from the whole range, so 200 draws come near both ends.
            #expect(delays.contains { $0 < .milliseconds(bound * 200) })
            #expect(delays.contains { $0 > .milliseconds(bound * 800) })
        }
    }
}

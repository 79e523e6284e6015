import TestServers
import Testing

@testable import Delivery

@Suite struct RetryBackoffTests {
    @Test("the delay's bound doubles up to its maximum")
    func bounds() {
        let backoff = RetryBackoff(first: .seconds(1), maximum: .seconds(10))
        var generator = SplitMix(seed: 3)
        for (failures, bound) in [(0, 1), (1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (6, 10), (1000, 10), (Int.max, 10)] {
            let delays = (0..<200).map { _ in backoff.delay(afterFailures: failures, using: &generator) }
            #expect(delays.allSatisfy { $0 >= .zero && $0 <= .seconds(bound) })
            // The delays are drawn from the whole range, so 200 draws come near both ends.
            #expect(delays.contains { $0 < .milliseconds(bound * 200) })
            #expect(delays.contains { $0 > .milliseconds(bound * 800) })
        }
    }

    @Test("retries wait for Retry-After, with jitter")
    func honoursRetryAfter() {
        let backoff = RetryBackoff(first: .seconds(1), maximum: .seconds(10))
        var generator = SplitMix(seed: 4)
        let delays = (0..<100).map { _ in
            backoff.delay(afterFailures: 1, retryAfter: .seconds(30), using: &generator)
        }
        #expect(delays.allSatisfy { $0 >= .seconds(30) && $0 <= .seconds(31) })
        #expect(Set(delays).count > 50)
    }
}

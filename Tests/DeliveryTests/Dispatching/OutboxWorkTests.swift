import Testing
import Threads

@testable import Delivery

@Suite struct OutboxWorkTests {
    @Test("retries wait for Retry-After, with jitter")
    func honoursRetryAfter() {
        let delays = (0..<100).map { _ in
            Backoff.betweenAttempts.delay(afterFailures: 1, notBefore: .seconds(30))
        }
        #expect(delays.allSatisfy { $0 >= .seconds(30) && $0 <= .milliseconds(30_250) })
        #expect(Set(delays).count > 50)
    }
}

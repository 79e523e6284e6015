import PhoneAuth
import TestServers
import Testing

@testable import Delivery

@Suite struct RetryTests {
    /// 1994-11-06T08:49:37Z is 784,111,777 seconds after the epoch.
    private let now = Instant(milliseconds: 784_111_777_000)

    @Test(
        "Retry-After is read as seconds or as a date",
        arguments: [
            ("0", 0), ("1", 1), ("120", 120), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Sun, 06 Nov 1994 08:50:07 GMT", 30), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
            ("Mon, 07 Nov 1994 08:49:36 GMT", 86_399), ("999999999999", 86_400), ("99999999999999999999999", 86_400),
            ("Thu, 29 Feb 2096 00:00:00 GMT", 86_400), ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil),
            ("Sun, 06 Nov 1994 08:49:37", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil),
            ("Sun, 32 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nox 1994 08:49:37 GMT", nil),
            ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun,  6 Nov 1994 08:49:37 GMT", nil),
        ] as [(String, Int64?)]
    )
    func retryAfter(text: String, seconds: Int64?) {
        #expect(RetryAfter.duration(text, at: now) == seconds.map { .seconds($0) })
    }

    @Test(
        "dates count leap days",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Wed, 31 Dec 2025 23:59:59 GMT", 1_767_225_599),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
        ]
    )
    func dates(text: String, seconds: Int64) {
        let earlier = Instant(milliseconds: (seconds - 10) * 1000)
        #expect(RetryAfter.duration(text, at: earlier) == .seconds(10))
    }

    @Test("the bound of the delay doubles up to its maximum")
    func bounds() {
        let backoff = RetryBackoff(first: .seconds(1), maximum: .seconds(10))
        var generator = SplitMix(seed: 3)
        for (failures, bound) in [(0, 1), (1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (6, 10), (1000, 10), (Int.max, 10)] {
            let delays = (0..<200).map { _ in backoff.delay(afterFailures: failures, using: &generator) }
            #expect(delays.allSatisfy { $0 >= .zero && $0 <= .seconds(bound) })
            // Drawn from the whole range: 200 draws come near both ends.
            #expect(delays.contains { $0 < .milliseconds(bound * 200) })
            #expect(delays.contains { $0 > .milliseconds(bound * 800) })
        }
    }

    @Test("what APNs asked for is waited out, and not by all to the same moment")
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

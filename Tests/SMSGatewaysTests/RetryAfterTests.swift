import Testing

@testable import SMSGateways

@Suite struct RetryAfterTests {
    @Test(
        "seconds or a date, an hour at most",
        arguments: [
            ("0", 0), ("7", 7), ("3600", 3600), ("3601", 3600), ("99999999999999999999999", 3600), ("", nil),
            ("-1", nil),
            ("1.5", nil), ("soon", nil), ("Mon, 21 Sep 2026 14:13:30 GMT", 10), ("Mon, 21 Sep 2026 14:13:10 GMT", 0),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 22 Sep 2026 14:13:20 GMT", 3600),
            ("Mon, 21 Sep 2026 14:13:30", nil), ("Mon, 21 Sep 2026 24:13:30 GMT", nil),
            ("Mon, 32 Sep 2026 14:13:30 GMT", nil), ("Mon, 21 Sept 2026 14:13:30 GMT", nil),
            ("Monday, 21-Sep-26 14:13:30 GMT", nil), ("Mon Sep 21 14:13:30 2026", nil),
        ] as [(String, Int?)]
    )
    func durations(text: String, seconds: Int?) {
        #expect(RetryAfter.duration(text, at: Example.now) == seconds.map { .seconds($0) })
    }
}

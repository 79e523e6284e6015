import Encodings
import OutgoingHTTP
import Testing

@Suite struct RetryAfterTests {
    /// 1994-11-06T08:49:37Z
    private let now = Instant(milliseconds: 784_111_777_000)

    @Test(
        "Retry-After is read as seconds or as a date, up to a maximum",
        arguments: [
            ("0", 0), ("1", 1), ("120", 120), ("86399", 86_399), ("86400", 86_400), ("86401", 86_400),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Sun, 06 Nov 1994 08:50:07 GMT", 30), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
            ("Mon, 07 Nov 1994 08:49:36 GMT", 86_399), ("999999999999", 86_400), ("99999999999999999999999", 86_400),
            ("Thu, 29 Feb 2096 00:00:00 GMT", 86_400), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Sat, 01 Jan 0000 00:00:00 GMT", 0), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
            ("", nil), ("-1", nil), ("+1", nil), ("1.5", nil), ("١", nil), ("soon", nil),
            ("Sun, 06 Nov 1994 08:49:37", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:60:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:61 GMT", nil),
            ("Sun, 32 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nox 1994 08:49:37 GMT", nil),
            ("Sun, 06 Sept 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 94 08:49:37 GMT", nil),
            ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun,  6 Nov 1994 08:49:37 GMT", nil),
            ("Sun Nov  6 08:49:37 1994", nil),
        ] as [(String, Int64?)]
    )
    func durations(text: String, seconds: Int64?) {
        let duration = RetryAfter.duration(text, at: now, maximum: .seconds(86_400))
        #expect(duration == seconds.map { .seconds($0) })
    }

    @Test("a partial second is rounded up")
    func milliseconds() {
        let duration = RetryAfter.duration(
            "Sun, 06 Nov 1994 08:49:38 GMT",
            at: now + .milliseconds(250),
            maximum: .seconds(60)
        )
        #expect(duration == .milliseconds(750))
    }

    @Test(
        "dates handle leap days",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Wed, 31 Dec 2025 23:59:59 GMT", 1_767_225_599),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
        ]
    )
    func dates(text: String, seconds: Int64) {
        let earlier = Instant(seconds: seconds - 10)
        #expect(RetryAfter.duration(text, at: earlier, maximum: .seconds(60)) == .seconds(10))
    }
}

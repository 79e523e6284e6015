import Encodings
import Glibc
import Testing

@Suite struct InstantTests {
    static let known: [(milliseconds: Int64, text: String)] = [
        (0, "1970-01-01T00:00:00.000Z"),
        (1, "1970-01-01T00:00:00.001Z"),
        (86_399_999, "1970-01-01T23:59:59.999Z"),
        (86_400_000, "1970-01-02T00:00:00.000Z"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (951_868_800_000, "2000-03-01T00:00:00.000Z"),
        (1_000_000_000_000, "2001-09-09T01:46:40.000Z"),
        (1_234_567_890_123, "2009-02-13T23:31:30.123Z"),
        (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
        (1_735_689_599_007, "2024-12-31T23:59:59.007Z"),
        (1_740_787_200_000, "2025-03-01T00:00:00.000Z"),
        (2_147_483_648_000, "2038-01-19T03:14:08.000Z"),
        (4_107_542_399_000, "2100-02-28T23:59:59.000Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ]

    @Test("known instants have the expected texts", arguments: known)
    func knownMoments(milliseconds: Int64, text: String) {
        #expect(Instant(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test("the text of an instant parses to the instant", arguments: known)
    func reading(milliseconds: Int64, text: String) {
        #expect(Instant(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test("every 16th day until 2500 round-trips")
    func readingAgain() {
        let days = (0..<12_106).map { Instant(milliseconds: Int64($0) * 16 * 86_400_000) }
        #expect(days.filter { Instant(rfc3339: $0.rfc3339) != $0 } == [])
    }

    @Test(
        "RFC 3339 times with any offset and fraction are parsed",
        arguments: [
            "2009-02-13T23:31:30.123Z", "2009-02-13t23:31:30.1239z", "2009-02-14T00:31:30.123+01:00",
            "2009-02-13T16:01:30.123456789-07:30", "2009-02-13T23:31:30.123-00:00",
        ]
    )
    func forms(text: String) {
        #expect(Instant(rfc3339: text)?.milliseconds == 1_234_567_890_123)
    }

    @Test("short and missing fractions are parsed")
    func fractions() {
        #expect(Instant(rfc3339: "1970-01-01T00:00:01Z")?.milliseconds == 1000)
        #expect(Instant(rfc3339: "1970-01-01T00:00:01.5Z")?.milliseconds == 1500)
        #expect(Instant(rfc3339: "1970-01-01T00:00:01.05Z")?.milliseconds == 1050)
    }

    @Test(
        "invalid texts and out-of-range times are rejected",
        arguments: [
            "", "now", "1234567890", "2009-02-13", "2009-02-13T23:31:30", "2009-02-13 23:31:30Z", "2009-02-13T23:31Z",
            "2009-02-13T23:31:30.Z", "2009-02-13T23:31:30,5Z", "2009-02-13T23:31:30+0100", "2009-02-13T23:31:30+24:00",
            "2009-02-13T23:31:30ZZ", "2009-02-29T00:00:00Z", "2009-13-01T00:00:00Z", "2009-00-10T00:00:00Z",
            "2009-01-00T00:00:00Z", "2009-02-13T24:00:00Z", "2009-02-13T23:60:00Z", "2016-12-31T23:59:60Z",
            "1969-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-01:00", "+009-02-13T23:31:30Z",
        ]
    )
    func wrong(text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test("every day until 2500 and 20,000 instants until 9999 agree with the C library")
    func comparison() {
        let days = (0..<193_700).map { Int64($0) * 86_400_000 }
        let moments = (0..<20_000).map { Int64($0) * 12_670_115_039 }
        let differing = (days + moments).filter { Instant(milliseconds: $0).rfc3339 != Self.textOfCLibrary($0) }
        #expect(differing == [])
    }

    @Test("a text without fractions is parsed only in the format in which it is written")
    func utc() {
        #expect(Instant(milliseconds: 1_234_567_890_123).utc == "2009-02-13T23:31:30Z")
        #expect(Instant(utc: "2009-02-13T23:31:30Z")?.milliseconds == 1_234_567_890_000)
        for text in [
            "2009-02-13T23:31:30.000Z", "2009-02-13T23:31:30+00:00", "2009-02-13t23:31:30Z", "2009-02-30T00:00:00Z",
        ] {
            #expect(Instant(utc: text) == nil)
        }
    }

    @Test("a date that does not exist is not created, and seconds out of range give the last instant")
    func components() {
        #expect(Instant(year: 2000, month: 2, day: 29)?.seconds == 951_782_400)
        #expect(Instant(year: 1, month: 1, day: 1)?.seconds == -62_135_596_800)
        #expect(Instant(year: 2100, month: 2, day: 29) == nil)
        #expect(Instant(year: 0, month: 12, day: 1) == nil && Instant(year: 2000, month: 13, day: 1) == nil)
        #expect(Instant(year: 2000, month: 1, day: .min) == nil && Instant(year: 2000, month: 1, day: .max) == nil)
        #expect(Instant(seconds: .max).milliseconds == .max && Instant(seconds: .min).milliseconds == .min)
    }

    private static func textOfCLibrary(_ milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let length = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
        let text = String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(text).\(String(milliseconds % 1000 + 1000).dropFirst())Z"
    }
}

import Glibc
import PhoneAuth
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

    @Test("known moments have their known texts", arguments: known)
    func knownMoments(milliseconds: Int64, text: String) {
        #expect(Instant(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test("a moment's text is read as the moment", arguments: known)
    func reading(milliseconds: Int64, text: String) {
        #expect(Instant(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test("every 16th day until 2500 is read as it is written")
    func readingAgain() {
        let days = (0..<12_106).map { Instant(milliseconds: Int64($0) * 16 * 86_400_000) }
        #expect(days.filter { Instant(rfc3339: $0.rfc3339) != $0 } == [])
    }

    @Test(
        "any zone and fraction of RFC 3339 is read",
        arguments: [
            "2009-02-13T23:31:30.123Z", "2009-02-13t23:31:30.1239z", "2009-02-14T00:31:30.123+01:00",
            "2009-02-13T16:01:30.123456789-07:30", "2009-02-13T23:31:30.123-00:00",
        ]
    )
    func forms(text: String) {
        #expect(Instant(rfc3339: text)?.milliseconds == 1_234_567_890_123)
    }

    @Test("short fractions, and none, are read")
    func fractions() {
        #expect(Instant(rfc3339: "1970-01-01T00:00:01Z")?.milliseconds == 1000)
        #expect(Instant(rfc3339: "1970-01-01T00:00:01.5Z")?.milliseconds == 1500)
        #expect(Instant(rfc3339: "1970-01-01T00:00:01.05Z")?.milliseconds == 1050)
    }

    @Test(
        "what is no such text, or no time of ours, is not read",
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

    @Test("every day until 2500 and 20,000 moments until 9999 are what the C library says")
    func comparison() {
        let days = (0..<193_700).map { Int64($0) * 86_400_000 }
        let moments = (0..<20_000).map { Int64($0) * 12_670_115_039 }
        let differing = (days + moments).filter { Instant(milliseconds: $0).rfc3339 != Self.textOfCLibrary($0) }
        #expect(differing == [])
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

internal import Glibc

/// The header field `Retry-After` (RFC 9110 § 10.2.3): whole seconds, or a date.
enum RetryAfter {
    /// No code lives longer: who has to wait so long need not come back.
    static let maximum: Duration = .seconds(60 * 60)

    /// How long to wait from `now` on: zero for a date that has passed, nil for what is neither seconds nor an IMF-fixdate.
    static func duration(_ text: String, at now: UnixTime) -> Duration? {
        if text.isDigits { return min(.seconds(Int64(text) ?? .max), maximum) }
        return date(text).map { min(.seconds(max(0, $0.seconds - now.seconds)), maximum) }
    }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that senders may use (RFC 9110 § 5.6.7).
    private static func date(_ text: String) -> UnixTime? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == " " || $0 == ":" }
        guard parts.count == 8, parts[0].utf8.count == 4, parts[0].hasSuffix(","), parts[7] == "GMT",
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let numbers = [1, 3, 4, 5, 6].compactMap { parts[$0].isDigits ? Int32(parts[$0]) : nil }
        guard numbers.count == 5, (1...31).contains(numbers[0]), (1970...9999).contains(numbers[1]) else { return nil }
        guard numbers[2] < 24, numbers[3] < 60, numbers[4] <= 60 else { return nil }
        var calendar = tm()
        calendar.tm_mday = numbers[0]
        calendar.tm_mon = Int32(month)
        calendar.tm_year = numbers[1] - 1900
        (calendar.tm_hour, calendar.tm_min, calendar.tm_sec) = (numbers[2], numbers[3], numbers[4])
        return UnixTime(seconds: Int64(timegm(&calendar)))
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

internal import Encodings
internal import Glibc

/// The header field `Retry-After` (RFC 9110 § 10.2.3): whole seconds, or a date.
public enum RetryAfter {
    /// Returns how long to wait.
    ///
    /// - Parameters:
    ///   - text: the field's value.
    ///   - nowMilliseconds: the time, in milliseconds since the Unix epoch.
    ///   - maximum: the cap on the result.
    /// - Returns: the time to wait; zero for a date in the past; nil if the value is neither seconds nor an
    ///   IMF-fixdate.
    public static func duration(_ text: String, nowMilliseconds: Int64, maximum: Duration) -> Duration? {
        if text.isASCIIDigits { return min(.seconds(Int64(text) ?? .max), maximum) }
        guard let seconds = secondsSinceEpoch(text) else { return nil }
        return min(.milliseconds(max(0, seconds * 1000 - nowMilliseconds)), maximum)
    }

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that senders may generate (RFC 9110 § 5.6.7).
    private static func secondsSinceEpoch(_ text: String) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].utf8.count == 4, parts[0].hasSuffix(","), parts[5] == "GMT" else { return nil }
        let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard
            let day = number(parts[1], digits: 2), (1...31).contains(day),
            let month = months.firstIndex(of: String(parts[2])),
            let year = number(parts[3], digits: 4),
            time.count == 3,
            let hour = number(time[0], digits: 2), hour < 24,
            let minute = number(time[1], digits: 2), minute < 60,
            let second = number(time[2], digits: 2), second <= 60
        else { return nil }
        var calendar = tm()
        (calendar.tm_year, calendar.tm_mon, calendar.tm_mday) = (year - 1900, Int32(month), day)
        (calendar.tm_hour, calendar.tm_min, calendar.tm_sec) = (hour, minute, second)
        return Int64(timegm(&calendar))
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func number(_ text: Substring, digits: Int) -> Int32? {
        text.utf8.count == digits && text.isASCIIDigits ? Int32(text) : nil
    }
}

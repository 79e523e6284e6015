public import Encodings

/// The header field `Retry-After` (RFC 9110 § 10.2.3): whole seconds, or a date.
public enum RetryAfter {
    /// Returns how long to wait.
    ///
    /// - Parameters:
    ///   - text: the field's value.
    ///   - now: the time.
    ///   - maximum: the upper bound of the result.
    /// - Returns: the time to wait; zero for a date in the past; nil if the value is neither seconds nor an
    ///   IMF-fixdate.
    public static func duration(_ text: String, at now: Instant, maximum: Duration) -> Duration? {
        if text.isASCIIDigits { return min(.seconds(Int64(text) ?? .max), maximum) }
        guard let date = date(text) else { return nil }
        return min(max(.zero, date - now), maximum)
    }

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that senders may generate (RFC 9110 § 5.6.7).
    private static func date(_ text: String) -> Instant? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].utf8.count == 4, parts[0].hasSuffix(","), parts[5] == "GMT" else { return nil }
        let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard
            let day = number(parts[1], digits: 2),
            let month = months.firstIndex(of: String(parts[2])),
            let year = number(parts[3], digits: 4),
            time.count == 3,
            let hour = number(time[0], digits: 2),
            let minute = number(time[1], digits: 2),
            let second = number(time[2], digits: 2), second <= 60,
            // Earlier years are in the past as well. A leap second is treated as the second that follows.
            let start = Instant(year: max(1970, year), month: month + 1, day: day, hour: hour, minute: minute)
        else { return nil }
        return start + .seconds(second)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func number(_ text: Substring, digits: Int) -> Int? {
        text.utf8.count == digits && text.isASCIIDigits ? Int(text) : nil
    }
}

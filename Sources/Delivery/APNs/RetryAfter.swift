internal import PhoneAuth

/// The header field `Retry-After` (RFC 9110 § 10.2.3): whole seconds, or a date.
enum RetryAfter {
    /// More than anybody should be told to wait; what is longer counts as this long.
    static let maximum: Duration = .seconds(24 * 60 * 60)

    /// How long to wait from `now` on: zero for a date that has passed, nil for what is neither seconds nor an IMF-fixdate.
    static func duration(_ text: String, at now: Instant) -> Duration? {
        if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
            return min(.seconds(Int64(text) ?? .max), maximum)
        }
        guard let date = instant(text) else { return nil }
        return min(.milliseconds(max(0, date.milliseconds - now.milliseconds)), maximum)
    }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that senders may use (RFC 9110 § 5.6.7).
    private static func instant(_ text: String) -> Instant? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].count == 4, parts[0].hasSuffix(","), parts[5] == "GMT" else { return nil }
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
        let days = daysSinceEpoch(year: year, month: month + 1, day: day)
        return Instant(milliseconds: (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// Counts from 1 March of year 0 on, so that a leap day is its year's last day.
    private static func daysSinceEpoch(year: Int64, month: Int, day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let monthsSinceMarch = Int64((month + 9) % 12)
        let dayOfYear = (153 * monthsSinceMarch + 2) / 5 + day - 1
        let days = 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear
        let daysToEpoch: Int64 = 719_468
        return days - daysToEpoch
    }
}

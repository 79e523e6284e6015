internal import Glibc

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z.
public struct Instant: Comparable, Hashable, Sendable {
    /// The milliseconds since the Unix epoch.
    public let milliseconds: Int64

    /// Creates the instant `milliseconds` after the Unix epoch.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Creates the instant `seconds` after the Unix epoch; the first or last instant if it is out of range.
    public init(seconds: Int64) {
        let (milliseconds, isOverflown) = seconds.multipliedReportingOverflow(by: 1000)
        self.init(milliseconds: isOverflown ? seconds < 0 ? .min : .max : milliseconds)
    }

    /// Returns the time of the system's clock.
    @Sendable public static func system() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The whole seconds since the Unix epoch, the unit of times in tokens.
    public var seconds: Int64 { milliseconds / 1000 }

    /// Returns whether `left` is before `right`.
    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// Returns the instant `duration` later.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(milliseconds: instant.milliseconds + duration.milliseconds)
    }

    /// Returns the duration from `earlier` to this instant.
    public static func - (instant: Instant, earlier: Instant) -> Duration {
        .milliseconds(instant.milliseconds - earlier.milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero.
    public var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

/// The format in which the protocol writes some times (RFC 3339).
extension Instant {
    /// The time in UTC with exactly three fraction digits, `2026-01-31T08:15:30.123Z`: iOS parses no other format.
    public var rfc3339: String { "\(dateAndTime).\(String(milliseconds % 1000, digits: 3))Z" }

    /// Parses a time in the years 1970 to 9999, with any zone offset. The fraction may have any length and is truncated
    /// to milliseconds (RFC 3339 § 5.6). Returns nil if the text is invalid. Leap seconds are not supported.
    public init?(rfc3339 text: String) {
        var rest = Array(text.utf8)[...]
        guard let year = Self.number(4, "-", &rest), let month = Self.number(2, "-", &rest),
            let day = Self.number(2, "Tt", &rest), let hour = Self.number(2, ":", &rest),
            let minute = Self.number(2, ":", &rest), let second = Self.number(2, "", &rest),
            let milliseconds = Self.fraction(&rest), let zoneMinutes = Self.zone(&rest), rest.isEmpty,
            let local = Instant(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        let time = local.milliseconds - Int64(zoneMinutes) * 60_000 + Int64(milliseconds)
        guard (0...253_402_300_799_999).contains(time) else { return nil }
        self.init(milliseconds: time)
    }

    /// Consumes a number of `width` digits and then, unless `ends` is empty, one of the characters in `ends`.
    private static func number(_ width: Int, _ ends: String, _ rest: inout ArraySlice<UInt8>) -> Int? {
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        rest = rest.dropFirst(width)
        if !ends.isEmpty {
            guard let end = rest.first, ends.utf8.contains(end) else { return nil }
            rest = rest.dropFirst()
        }
        return value(digits)
    }

    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.first == UInt8(ascii: ".") else { return 0 }
        rest = rest.dropFirst()
        let digits = rest.prefix(while: \.isASCIIDigit)
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        return value((digits + Array("00".utf8)).prefix(3))
    }

    /// Consumes the zone offset and returns it in minutes ahead of UTC.
    private static func zone(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let sign = rest.popFirst() else { return nil }
        if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return 0 }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = number(2, ":", &rest),
            let minutes = number(2, "", &rest), hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "+") ? 1 : -1)
    }

    private static func value(_ digits: some Sequence<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

/// The Gregorian calendar in UTC.
extension Instant {
    static let millisecondsOfDay: Int64 = 86_400_000

    /// Creates the beginning of a second in the years 1 to 9999; nil if the date or the time of day does not exist.
    /// Leap seconds are not supported.
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (1...9999).contains(year), (1...12).contains(month), (0..<24).contains(hour), (0..<60).contains(minute),
            (0..<60).contains(second), (1...31).contains(day)
        else { return nil }
        let days = Self.daysSinceEpoch(Int64(year), Int64(month), Int64(day))
        // A day that does not exist, such as 30 February, converts back to a different day.
        guard Self.civilDate(daysSinceEpoch: days) == (Int64(year), Int64(month), Int64(day)) else { return nil }
        let seconds = Int64(hour * 3600 + minute * 60 + second)
        self.init(milliseconds: days * Self.millisecondsOfDay + seconds * 1000)
    }

    /// The time in whole seconds, such as `2026-01-31T08:15:30Z`; years before 1970 are not supported.
    public var utc: String { "\(dateAndTime)Z" }

    /// Parses the form of ``utc``; nil if the text has another form.
    public init?(utc text: String) {
        self.init(rfc3339: text)
        guard utc == text else { return nil }
    }

    /// Date and time to the second, without the zone.
    var dateAndTime: String {
        let (day, millisecondOfDay) = milliseconds.quotientAndRemainder(dividingBy: Self.millisecondsOfDay)
        let (year, month, dayOfMonth) = Self.civilDate(daysSinceEpoch: day)
        let seconds = millisecondOfDay / 1000
        let date = [String(year, digits: 4), String(month, digits: 2), String(dayOfMonth, digits: 2)].joined(
            separator: "-"
        )
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { String($0, digits: 2) }.joined(
            separator: ":"
        )
        return "\(date)T\(time)"
    }

    /// Converts to the proleptic Gregorian calendar. Years begin in March, so that the leap day is the last day of a
    /// year.
    private static func civilDate(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let daysSinceMarchOfYear0 = daysSinceEpoch + 719_468
        let era = daysSinceMarchOfYear0 / 146_097
        let dayOfEra = daysSinceMarchOfYear0 % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// Converts a date to days since the epoch, for years from 1 on: the inverse of `civilDate(daysSinceEpoch:)`.
    private static func daysSinceEpoch(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let leapDays = yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
        return yearFromMarch * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
    }
}

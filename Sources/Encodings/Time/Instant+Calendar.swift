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

internal import PhoneAuth

extension Instant {
    /// The UTC form with exactly three fraction digits, `2026-01-31T08:15:30.123Z`: iOS parses no other.
    var rfc3339: String {
        let (day, millisecondOfDay) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let (year, month, dayOfMonth) = Self.civilDate(daysSinceEpoch: day)
        let seconds = millisecondOfDay / 1000
        let date = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(dayOfMonth, 2))"
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        return "\(date)T\(time).\(Self.padded(millisecondOfDay % 1000, 3))Z"
    }

    /// The proleptic Gregorian date. Years are counted from March, so that the leap day is the last of its year.
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

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

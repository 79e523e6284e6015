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

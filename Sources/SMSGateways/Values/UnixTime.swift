internal import Glibc

/// A moment in whole seconds since 1970-01-01T00:00:00Z, as signatures carry it.
public struct UnixTime: Comparable, Hashable, Sendable {
    /// Seconds since the Unix epoch.
    public let seconds: Int64

    /// The moment so many seconds after the Unix epoch.
    public init(seconds: Int64) {
        self.seconds = seconds
    }

    /// What the system's clock shows.
    @Sendable public static func system() -> UnixTime {
        UnixTime(seconds: Int64(time(nil)))
    }

    /// Whether `left` is before `right`.
    public static func < (left: UnixTime, right: UnixTime) -> Bool { left.seconds < right.seconds }

    /// Whether this is no further from `other` than `tolerance`, before or after it.
    func isWithin(_ tolerance: Duration, of other: UnixTime) -> Bool {
        let (difference, isTooFar) = seconds.subtractingReportingOverflow(other.seconds)
        return !isTooFar && difference.magnitude <= UInt64(max(0, tolerance.components.seconds))
    }
}

internal import Glibc

/// A time in whole seconds since 1970-01-01T00:00:00Z, as in signatures.
public struct UnixTime: Comparable, Hashable, Sendable {
    /// Seconds since the Unix epoch.
    public let seconds: Int64

    /// Creates a time from seconds since the Unix epoch.
    public init(seconds: Int64) {
        self.seconds = seconds
    }

    /// Returns the time of the system's clock.
    @Sendable public static func system() -> UnixTime {
        UnixTime(seconds: Int64(time(nil)))
    }

    /// Whether `left` is before `right`.
    public static func < (left: UnixTime, right: UnixTime) -> Bool { left.seconds < right.seconds }

    /// Returns whether this time differs from `other` by at most `tolerance`, in either direction.
    func isWithin(_ tolerance: Duration, of other: UnixTime) -> Bool {
        let (difference, isTooFar) = seconds.subtractingReportingOverflow(other.seconds)
        return !isTooFar && difference.magnitude <= UInt64(max(0, tolerance.components.seconds))
    }
}

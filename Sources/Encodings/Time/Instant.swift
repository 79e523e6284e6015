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

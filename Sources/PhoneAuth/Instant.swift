internal import Encodings

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z.
public struct Instant: Comparable, Hashable, Sendable {
    /// The milliseconds since the Unix epoch.
    public let milliseconds: Int64

    /// Creates the instant `milliseconds` after the Unix epoch.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
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

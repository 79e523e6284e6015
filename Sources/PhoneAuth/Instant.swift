internal import Encodings

/// A moment, in milliseconds since 1970-01-01T00:00:00Z.
public struct Instant: Comparable, Hashable, Sendable {
    /// Milliseconds since the Unix epoch.
    public let milliseconds: Int64

    /// The moment so many milliseconds after the Unix epoch.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Whole seconds since the Unix epoch, as tokens count.
    public var seconds: Int64 { milliseconds / 1000 }

    /// Whether `left` is before `right`.
    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment `duration` later.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(milliseconds: instant.milliseconds + duration.milliseconds)
    }

    /// How long after `earlier` this moment is.
    public static func - (instant: Instant, earlier: Instant) -> Duration {
        .milliseconds(instant.milliseconds - earlier.milliseconds)
    }
}

internal import Glibc

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
}

extension Duration {
    /// Whole milliseconds, rounded towards zero.
    public var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}

/// What the domain takes from outside: the time and randomness. Tests pass their own.
public struct Environment: Sendable {
    /// Tells the time.
    public var now: @Sendable () -> Instant
    /// Makes so many unpredictable bytes.
    public var randomBytes: @Sendable (_ count: Int) -> [UInt8]

    /// An environment of other sources.
    public init(now: @escaping @Sendable () -> Instant, randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8]) {
        self.now = now
        self.randomBytes = randomBytes
    }

    /// The system's clock and its cryptographically secure generator.
    public static let system = Environment(now: systemTime, randomBytes: systemRandomBytes)

    private static func systemTime() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    private static func systemRandomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            withUnsafeBytes(of: generator.next() as UInt64) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) }
        }
        return bytes
    }
}

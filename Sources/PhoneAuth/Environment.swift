internal import Glibc

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
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            // It fails for more than 256 bytes only, or on a kernel without a generator: then nothing here is safe.
            let result = getentropy(buffer.baseAddress, count)
            precondition(result == 0, "the system's random generator failed")
            filled = count
        }
    }
}

public import Encodings
internal import Glibc
public import RedisScripts
internal import Threads

/// A point in time.
public typealias Instant = Encodings.Instant

/// The domain's external inputs: time, randomness and pauses. Tests pass their own.
public struct Environment: Sendable {
    /// Returns the current time.
    public var now: @Sendable () -> Instant
    /// Returns `count` unpredictable bytes.
    public var randomBytes: @Sendable (_ count: Int) -> [UInt8]
    /// Blocks the calling thread for a time.
    public var pause: @Sendable (Duration) -> Void

    /// Creates an environment with other sources.
    public init(
        now: @escaping @Sendable () -> Instant,
        randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8],
        pause: @escaping @Sendable (Duration) -> Void
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.pause = pause
    }

    /// The system's clock and its cryptographically secure random generator (CSPRNG).
    public static let system = Environment(
        now: Instant.system,
        randomBytes: systemRandomBytes,
        pause: ActiveThreads.sleep
    )

    private static func systemRandomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // `getentropy` fails only for more than 256 bytes, or on a kernel without a generator: then nothing here is
        // safe.
        let result = bytes.withUnsafeMutableBufferPointer { getentropy($0.baseAddress, count) }
        precondition(result == 0, "the system's random generator failed")
        return bytes
    }
}

/// The store did not respond, or its data cannot be read. Most operations may throw this error.
public typealias StoreUnavailable = RedisScripts.StoreUnavailable

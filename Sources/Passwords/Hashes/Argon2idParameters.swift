/// What an Argon2id hash costs (RFC 9106 § 3.1).
public struct Argon2idParameters: Hashable, Sendable {
    /// The memory that is filled, in KiB: at least 8 for each lane, at most 131,072.
    public let memoryKiB: Int
    /// How often it is gone over: 1 to 16 times.
    public let passes: Int
    /// How many lanes it has: 1 to 16. One thread fills them all, one after the other.
    public let lanes: Int

    /// The least that OWASP's Password Storage Cheat Sheet asks for: 19 MiB, two passes, one lane.
    public static let recommended = Argon2idParameters(legalMemoryKiB: 19_456, passes: 2, lanes: 1)

    /// Parameters of one's own.
    ///
    /// Returns nil where one of them is out of its range.
    ///
    /// - Parameters:
    ///   - memoryKiB: see ``memoryKiB``.
    ///   - passes: see ``passes``.
    ///   - lanes: see ``lanes``.
    public init?(memoryKiB: Int, passes: Int, lanes: Int) {
        guard (1...16).contains(passes), (1...16).contains(lanes), memoryKiB >= 8 * lanes,
            memoryKiB <= HashLimits.memoryBytes / 1024
        else { return nil }
        self.init(legalMemoryKiB: memoryKiB, passes: passes, lanes: lanes)
    }

    private init(legalMemoryKiB memoryKiB: Int, passes: Int, lanes: Int) {
        self.memoryKiB = memoryKiB
        self.passes = passes
        self.lanes = lanes
    }

    /// Whether guessing costs less memory or fewer passes than with `others`. Lanes make a guess neither dearer nor cheaper.
    func areWeaker(than others: Argon2idParameters) -> Bool {
        memoryKiB < others.memoryKiB || passes < others.passes
    }
}

/// The cost parameters of an Argon2id hash (RFC 9106 § 3.1).
public struct Argon2idParameters: Hashable, Sendable {
    /// The memory in KiB: at least 8 for each lane, at most 131,072.
    public let memoryKiB: Int
    /// The number of passes over the memory: 1 to 16.
    public let passes: Int
    /// The number of lanes: 1 to 16. One thread computes them one after another.
    public let lanes: Int

    /// The minimum of OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane.
    public static let recommended = Argon2idParameters(legalMemoryKiB: 19_456, passes: 2, lanes: 1)

    /// Creates custom parameters.
    ///
    /// Returns nil if one of them is out of range.
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

    /// Returns whether a guessing attack needs less memory or fewer passes than with `others`. The number of lanes does
    /// not change its cost.
    func areWeaker(than others: Argon2idParameters) -> Bool {
        memoryKiB < others.memoryKiB || passes < others.passes
    }
}

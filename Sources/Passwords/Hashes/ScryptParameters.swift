internal import Cryptography

/// The cost parameters of an scrypt hash (RFC 7914 § 2).
public struct ScryptParameters: Hashable, Sendable {
    /// RFC 7914 § 2: N is a power of two, and below 2^(128 · r / 8).
    let logarithmOfCost: Int
    let blockSize: Int
    let parallelism: Int

    /// Creates parameters from another system.
    ///
    /// Returns nil if they are invalid, or need more than 128 MiB of memory or more work than N = 2^17, r = 8, p = 1,
    /// the most expensive choice of OWASP's Password Storage Cheat Sheet.
    ///
    /// - Parameters:
    ///   - cost: N, "CPU/memory cost".
    ///   - blockSize: r, at most 16.
    ///   - parallelism: p, at most 16.
    public init?(cost: Int, blockSize: Int, parallelism: Int) {
        guard cost > 1, cost.nonzeroBitCount == 1 else { return nil }
        self.init(logarithmOfCost: cost.trailingZeroBitCount, blockSize: blockSize, parallelism: parallelism)
    }

    init?(logarithmOfCost: Int, blockSize: Int, parallelism: Int) {
        guard (1...20).contains(logarithmOfCost), (1...16).contains(blockSize), (1...16).contains(parallelism),
            logarithmOfCost < 16 * blockSize, 128 * blockSize << logarithmOfCost <= HashLimits.memoryBytes,
            blockSize * parallelism << logarithmOfCost <= Self.mostWork
        else { return nil }
        self.logarithmOfCost = logarithmOfCost
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// N · r · p.
    private static let mostWork = 1 << 20

    var memoryBytes: Int { 128 * blockSize * (1 << logarithmOfCost + parallelism) }

    func key(of password: Password, salt: [UInt8], byteCount: Int) throws(OutOfMemory) -> [UInt8] {
        do {
            return try Scrypt.deriveKey(
                password: Array(password.utf8),
                salt: salt,
                cost: 1 << logarithmOfCost,
                blockSize: blockSize,
                parallelism: parallelism,
                byteCount: byteCount
            )
        } catch {
            // Tests cover the ranges above: with these parameters there is no other reason.
            throw OutOfMemory()
        }
    }
}

internal import Encodings

/// The common interface of the hash algorithms.
protocol PasswordHash: Sendable, Confidential {
    /// Parses a stored form; returns nil if it belongs to another algorithm, or exceeds ``HashLimits``.
    init?(text: String)
    /// The stored form.
    var text: String { get }
    /// A hash without a known password that costs as much to verify: all hashes with the same algorithm and parameters
    /// have the same decoy.
    var decoy: Self { get }
    /// The memory that one verification allocates, in bytes.
    var memoryBytes: Int { get }
    /// Computes the hash of `password` and compares in constant time.
    func matches(_ password: Password) throws(OutOfMemory) -> Bool
}

/// The only reason why a hash with valid parameters cannot be computed.
struct OutOfMemory: Error {}

/// The bounds for every hash, whatever its origin.
enum HashLimits {
    /// The memory of scrypt with OWASP's first choice (N = 2^17, r = 8): the highest of the common recommendations.
    static let memoryBytes = 128 << 20
    /// The length of an imported salt. The salt of a standard scrypt hash may even be empty (RFC 7914 § 12).
    static let importedSaltBytes = 0...128
    /// The length of a hash. With fewer than 16 bytes, an attacker would find a wrong password with the same hash
    /// before the right one.
    static let hashBytes = 16...128
}

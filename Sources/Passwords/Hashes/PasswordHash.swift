internal import Encodings

/// What the algorithms have in common.
protocol PasswordHash: Sendable, Confidential {
    /// Reads a stored form; nil where it is not one of this algorithm, or asks for more than is granted to anybody.
    init?(text: String)
    /// The stored form.
    var text: String { get }
    /// What one verification allocates.
    var memoryBytes: Int { get }
    /// Computes the hash of `password` and compares, in a time that does not tell where the difference is.
    func matches(_ password: Password) throws(OutOfMemory) -> Bool
}

/// The one reason why a hash with legal parameters cannot be computed.
struct OutOfMemory: Error {}

/// What one hash may cost, whoever made it.
enum HashLimits {
    /// What scrypt takes with OWASP's first choice for it (N = 2^17, r = 8): the most that common advice asks of any hash.
    static let memoryBytes = 128 << 20
    /// What an imported salt may have; that of a standard scrypt hash may even be empty (RFC 7914 § 12).
    static let importedSaltBytes = 0...128
    /// Below 16 bytes a hash would be met by chance, or by search, before its password is.
    static let hashBytes = 16...128
}

internal import Cryptography
internal import Encodings

/// An scrypt hash (RFC 7914) from another system: `$scrypt$ln=14,r=8,p=1$salt$hash`, where `ln` is the base-2 logarithm
/// of N.
///
/// The text form is the one that Passlib documents for its `scrypt`.
public struct ScryptHash: PasswordHash {
    private let parameters: ScryptParameters
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Creates an imported hash.
    ///
    /// Returns nil if the hash does not have 16 to 128 bytes, or the salt has more than 128.
    ///
    /// - Parameters:
    ///   - parameters: the cost parameters.
    ///   - salt: the salt.
    ///   - hash: the derived key; its length is Firebase's `dkLen`.
    public init?(parameters: ScryptParameters, salt: [UInt8], hash: [UInt8]) {
        guard HashLimits.importedSaltBytes.contains(salt.count), HashLimits.hashBytes.contains(hash.count) else {
            return nil
        }
        self.parameters = parameters
        self.salt = salt
        self.hash = hash
    }

    init?(text: String) {
        guard let string = PHCString(text, algorithm: "scrypt", fieldCount: 4),
            let values = string.values(1, "ln", "r", "p"),
            let logarithmOfCost = PHCString.number(values[0]), let blockSize = PHCString.number(values[1]),
            let parallelism = PHCString.number(values[2]),
            let parameters = ScryptParameters(
                logarithmOfCost: logarithmOfCost,
                blockSize: blockSize,
                parallelism: parallelism
            ),
            let salt = PHCString.bytes(string[2]), let hash = PHCString.bytes(string[3])
        else { return nil }
        self.init(parameters: parameters, salt: salt, hash: hash)
    }

    var text: String {
        let cost = "ln=\(parameters.logarithmOfCost),r=\(parameters.blockSize),p=\(parameters.parallelism)"
        return "$scrypt$\(cost)$\(PHCString.base64(salt))$\(PHCString.base64(hash))"
    }

    private init(decoyOf parameters: ScryptParameters) {
        self.parameters = parameters
        salt = [UInt8](repeating: 0, count: PasswordSalt.byteCount)
        hash = [UInt8](repeating: 0, count: HashLimits.hashBytes.lowerBound)
    }

    var decoy: ScryptHash { ScryptHash(decoyOf: parameters) }

    var memoryBytes: Int { parameters.memoryBytes }

    func matches(_ password: Password) throws(OutOfMemory) -> Bool {
        let key = try parameters.key(of: password, salt: salt, byteCount: hash.count)
        return equalInConstantTime(key, hash)
    }
}

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

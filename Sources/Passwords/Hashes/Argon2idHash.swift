internal import CArgon2
internal import Encodings
internal import Glibc

/// An Argon2id hash, the algorithm of all new hashes: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, as libargon2 writes it.
///
/// Only version 19 (0x13) of the algorithm, that of RFC 9106, is accepted.
public struct Argon2idHash: PasswordHash {
    /// RFC 9106 § 3.1 recommends 16 bytes of salt; libargon2 accepts no fewer than 8.
    private static let saltBytes = 8...64
    /// The length of new hashes: RFC 9106 § 4 recommends 256 bits.
    private static let newHashByteCount = 32

    /// The cost parameters.
    public let parameters: Argon2idParameters
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Hashes a password.
    init(_ password: Password, _ salt: PasswordSalt, _ parameters: Argon2idParameters) throws(OutOfMemory) {
        self.parameters = parameters
        self.salt = salt.bytes
        hash = try Self.compute(password, salt.bytes, parameters, byteCount: Self.newHashByteCount)
    }

    init?(text: String) {
        guard let string = PHCString(text, algorithm: "argon2id", fieldCount: 5), string[1] == "v=19",
            let values = string.values(2, "m", "t", "p"),
            let memoryKiB = PHCString.number(values[0]), let passes = PHCString.number(values[1]),
            let lanes = PHCString.number(values[2]),
            let parameters = Argon2idParameters(memoryKiB: memoryKiB, passes: passes, lanes: lanes),
            let salt = PHCString.bytes(string[3]), Self.saltBytes.contains(salt.count),
            let hash = PHCString.bytes(string[4]), HashLimits.hashBytes.contains(hash.count)
        else { return nil }
        self.parameters = parameters
        self.salt = salt
        self.hash = hash
    }

    var decoy: Argon2idHash { Argon2idHash(decoyOf: parameters) }

    init(decoyOf parameters: Argon2idParameters) {
        self.parameters = parameters
        salt = [UInt8](repeating: 0, count: PasswordSalt.byteCount)
        hash = [UInt8](repeating: 0, count: Self.newHashByteCount)
    }

    var text: String {
        let cost = "m=\(parameters.memoryKiB),t=\(parameters.passes),p=\(parameters.lanes)"
        return "$argon2id$v=19$\(cost)$\(PHCString.base64(salt))$\(PHCString.base64(hash))"
    }

    var memoryBytes: Int { parameters.memoryKiB * 1024 }

    /// Returns whether a new hash with `parameters` would be stronger.
    func isWeaker(than parameters: Argon2idParameters) -> Bool {
        self.parameters.areWeaker(than: parameters) || salt.count < PasswordSalt.byteCount
            || hash.count < Self.newHashByteCount
    }

    func matches(_ password: Password) throws(OutOfMemory) -> Bool {
        equalInConstantTime(try Self.compute(password, salt, parameters, byteCount: hash.count), hash)
    }

    private static func compute(
        _ password: Password,
        _ salt: [UInt8],
        _ parameters: Argon2idParameters,
        byteCount: Int
    ) throws(OutOfMemory) -> [UInt8] {
        var password = password.utf8
        var salt = salt
        var hash = [UInt8](repeating: 0, count: byteCount)
        let result = password.withUnsafeMutableBufferPointer { password in
            salt.withUnsafeMutableBufferPointer { salt in
                hash.withUnsafeMutableBufferPointer { hash in
                    var context = argon2_context()
                    (context.out, context.outlen) = (hash.baseAddress, UInt32(hash.count))
                    (context.pwd, context.pwdlen) = (password.baseAddress, UInt32(password.count))
                    (context.salt, context.saltlen) = (salt.baseAddress, UInt32(salt.count))
                    context.t_cost = UInt32(parameters.passes)
                    context.m_cost = UInt32(parameters.memoryKiB)
                    context.lanes = UInt32(parameters.lanes)
                    // libargon2 would start a thread for each lane, in addition to the fixed number of hashing threads.
                    context.threads = 1
                    context.version = ARGON2_VERSION_13.rawValue
                    context.allocate_cbk = Argon2Memory.allocate
                    context.free_cbk = Argon2Memory.free
                    return argon2id_ctx(&context)
                }
            }
        }
        if result == ARGON2_MEMORY_ALLOCATION_ERROR.rawValue { throw OutOfMemory() }
        precondition(result == ARGON2_OK.rawValue, "libargon2 supports all parameters that are valid here")
        return hash
    }
}

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

/// The memory of one Argon2 hash: about 20 MiB for tens of milliseconds, mapped and unmapped per hash.
///
/// Huge pages are requested: a hash accesses all of its memory in random order, and the page faults of thousands of
/// small pages would take half as long as the hash itself.
enum Argon2Memory {
    /// For libargon2's `allocate_cbk`.
    static let allocate: allocate_fptr = { memory, byteCount in
        let mapped = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, let mapped, mapped != MAP_FAILED else { return ARGON2_MEMORY_ALLOCATION_ERROR.rawValue }
        // Best effort: without huge pages this call fails, and small pages are used.
        madvise(mapped, byteCount, MADV_HUGEPAGE)
        memory.pointee = mapped.assumingMemoryBound(to: UInt8.self)
        return ARGON2_OK.rawValue
    }

    /// For libargon2's `free_cbk`.
    static let free: deallocate_fptr = { memory, byteCount in
        if let memory { munmap(memory, byteCount) }
    }
}

internal import CCrypt
internal import Encodings

/// A bcrypt hash: `$2b$`, two digits of cost, `$`, 22 characters of salt and 31 of hash.
///
/// Source: Provos and Mazières, "A Future-Adaptable Password Scheme", and crypt(5) of libxcrypt, which computes the
/// hashes. `$2a$` and `$2y$` are also accepted, and computed as in libxcrypt. `$2x$`, which marks hashes from a faulty
/// implementation, is rejected.
///
/// bcrypt uses only the first 72 bytes of a password, and stops at a NUL. A password that contains a NUL never matches:
/// otherwise, anything after the NUL would be ignored.
public struct BcryptHash: PasswordHash {
    /// The number of password bytes that bcrypt uses.
    static let passwordBytes = 72
    /// The log2 of the number of rounds. 14 takes about a second; 4 is the algorithm's minimum.
    private static let costs = 4...14
    private static let length = 60
    /// `$2b$10$`, then the salt.
    private static let settingLength = 7 + 22

    /// The hash in its usual text form.
    let text: String

    init?(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.length, ["$2a$", "$2b$", "$2y$"].contains(text.prefix(4)),
            bytes[4...5].allSatisfy(\.isASCIIDigit),
            let cost = Int(text.dropFirst(4).prefix(2)), Self.costs.contains(cost), bytes[6] == UInt8(ascii: "$"),
            bytes[7...].allSatisfy(Self.isOfAlphabet)
        else { return nil }
        self.text = text
    }

    private init(decoyOfCost cost: Substring) {
        text = "$2b$\(cost)$" + String(repeating: ".", count: Self.length - 7)
    }

    var decoy: BcryptHash { BcryptHash(decoyOfCost: text.dropFirst(4).prefix(2)) }

    var memoryBytes: Int { MemoryLayout<crypt_data>.size }

    func matches(_ password: Password) throws(OutOfMemory) -> Bool {
        let phrase = password.utf8.prefix(Self.passwordBytes).map { CChar(bitPattern: $0) } + [0]
        var output = [CChar](repeating: 0, count: Int(CRYPT_OUTPUT_SIZE))
        guard ccrypt_hash(phrase, text, &output) else { throw OutOfMemory() }
        // Compares only the hash: libxcrypt rewrites the last character of the salt in canonical form; other
        // implementations keep it unchanged.
        let computed = output[Self.settingLength..<Self.length].map { UInt8(bitPattern: $0) }
        let isEqual = equalInConstantTime(computed, Array(text.utf8.dropFirst(Self.settingLength)))
        // Only after hashing, so that the response time does not reveal whether a hash is stored (no user enumeration).
        return isEqual && !password.utf8.contains(0)
    }

    private static func isOfAlphabet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        // `.`, `/` and the digits are contiguous.
        case UInt8(ascii: ".")...UInt8(ascii: "9"): true
        default: false
        }
    }
}

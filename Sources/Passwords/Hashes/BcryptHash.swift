internal import CCrypt
internal import Encodings

/// A bcrypt hash: `$2b$`, two digits of cost, `$`, 22 characters of salt and 31 of hash.
///
/// Source: Provos and Mazières, "A Future-Adaptable Password Scheme", and crypt(5) of libxcrypt, which computes it. `$2a$` and
/// `$2y$` are read too, and computed as the library does. `$2x$`, the mark of hashes from a faulty implementation, is not.
///
/// bcrypt takes the first 72 bytes of a password. It ends at a NUL, so a password with one never matches: else all that
/// follows the NUL would be without meaning.
public struct BcryptHash: PasswordHash {
    /// The most bytes of a password that count.
    static let passwordBytes = 72
    /// The exponent of the work. 14 takes about a second, 4 is the algorithm's least.
    private static let costs = 4...14
    private static let length = 60
    /// `$2b$10$`, then the salt.
    private static let settingLength = 7 + 22

    /// The hash as it is written everywhere.
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

    var memoryBytes: Int { MemoryLayout<crypt_data>.size }

    func matches(_ password: Password) throws(OutOfMemory) -> Bool {
        let phrase = password.utf8.prefix(Self.passwordBytes).map { CChar(bitPattern: $0) } + [0]
        var output = [CChar](repeating: 0, count: Int(CRYPT_OUTPUT_SIZE))
        guard ccrypt_hash(phrase, text, &output) else { throw OutOfMemory() }
        // The library writes the salt anew, in the one spelling of its last character: some others leave there what they got.
        let computed = output[Self.settingLength..<Self.length].map { UInt8(bitPattern: $0) }
        let isEqual = equalInConstantTime(computed, Array(text.utf8.dropFirst(Self.settingLength)))
        // Not before the hash was made: an answer at once would tell that there is one.
        return isEqual && !password.utf8.contains(0)
    }

    private static func isOfAlphabet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        // From the full stop over the slash to the nine.
        case UInt8(ascii: ".")...UInt8(ascii: "9"): true
        default: false
        }
    }
}

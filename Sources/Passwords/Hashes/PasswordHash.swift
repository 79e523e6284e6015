internal import Encodings

/// The common interface of the hash algorithms.
protocol PasswordHash: Sendable, Confidential {
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

/// The fields of a hash's text, each preceded by `$`: algorithm, version, parameters, salt and hash.
///
/// Source: the PHC string format (github.com/P-H-C/phc-string-format), which libargon2 writes. Only the canonical text
/// of a value is accepted.
struct PHCString {
    /// More than any valid text: a key, a salt and a hash of 128 bytes take 171 characters each.
    static let maximumBytes = 1024

    private let fields: [Substring]

    /// Splits a text. Returns nil unless the text consists of `count` ASCII fields, the first of which is the
    /// algorithm.
    init?(_ text: String, algorithm: String, fieldCount count: Int) {
        guard text.utf8.count <= Self.maximumBytes, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == count + 1, parts[0].isEmpty, parts[1] == algorithm else { return nil }
        fields = Array(parts.dropFirst())
    }

    subscript(index: Int) -> Substring { fields[index] }

    /// Returns the values of the field `name=value,…`, which must have exactly these names in this order.
    func values(_ index: Int, _ names: String...) -> [Substring]? {
        let parameters = fields[index].split(separator: ",", omittingEmptySubsequences: false)
        guard parameters.count == names.count else { return nil }
        var values: [Substring] = []
        for (parameter, name) in zip(parameters, names) {
            guard parameter.hasPrefix("\(name)=") else { return nil }
            values.append(parameter.dropFirst(name.count + 1))
        }
        return values
    }

    /// Returns a number in decimal digits, without sign or leading zero.
    static func number(_ text: Substring) -> Int? {
        guard let number = Int(text), String(number) == text, number >= 0 else { return nil }
        return number
    }

    /// Decodes Base64 without padding.
    static func bytes(_ text: Substring) -> [UInt8]? { Base64.decode(unpadded: text.utf8) }

    /// Encodes Base64 without padding.
    static func base64(_ bytes: [UInt8]) -> String { Base64.encode(bytes, isPadded: false) }
}

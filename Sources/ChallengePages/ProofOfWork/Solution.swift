internal import Encodings

/// A posted solution: base64 of a JSON object, not verified yet.
struct Solution {
    let challenge: String
    let number: Int64
    let salt: String
    let signature: String

    /// More than a solution to any valid challenge needs.
    static let maximumBytes = 1_024

    /// Parses a solution; nil if `base64` is too long, not in ALTCHA's form, or for another algorithm.
    init?(base64: String) {
        guard base64.utf8.count <= Self.maximumBytes, let document = Self.decode(base64),
            case .object(let object) = try? JSONValue.parse(document, maximumDepth: 2),
            case .string("SHA-256") = object["algorithm"],
            case .string(let challenge) = object["challenge"],
            case .number(let spelling) = object["number"],
            case .string(let salt) = object["salt"],
            case .string(let signature) = object["signature"]
        else { return nil }
        // Each number has one spelling, because the hash covers its digits.
        guard let number = Int64(spelling), String(number) == spelling,
            (0...Difficulty.highest.maximumNumber).contains(number)
        else { return nil }
        self.challenge = challenge
        self.number = number
        self.salt = salt
        self.signature = signature
    }

    /// Decodes base64 with the standard alphabet and padding (RFC 4648 § 4).
    private static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count.isMultiple(of: 4) else { return nil }
        var characters = Array(text.utf8)
        for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
        for (index, byte) in characters.enumerated() {
            switch byte {
            case UInt8(ascii: "+"): characters[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): characters[index] = UInt8(ascii: "_")
            case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
            default: break
            }
        }
        return Base64URL.decode(characters)
    }
}

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
        guard base64.utf8.count <= Self.maximumBytes, let document = Base64.decode(padded: base64.utf8),
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
}

internal import Encodings

/// A challenge in ALTCHA's open format (version 1): find the number that, appended to the salt, hashes to `challenge`.
public struct ProofOfWorkChallenge: Sendable, Equatable {
    /// The target SHA-256 in hexadecimal. It is different for each challenge.
    public let challenge: String
    /// The largest number that may be the solution.
    public let maximumNumber: Int64
    /// Random characters, followed by the challenge's parameters as a URL query that ends in `&`.
    public let salt: String
    /// The HMAC-SHA-256 of `challenge`, in hexadecimal.
    public let signature: String

    /// The challenge as JSON, as in the response of `/__/auth/challenge`.
    public var json: [UInt8] {
        JSONWriter.object { json in write(to: &json) }
    }

    func write(to json: inout JSONWriter) {
        json.member("algorithm", "SHA-256")
        json.member("challenge", challenge)
        json.member("maxnumber", maximumNumber)
        json.member("salt", salt)
        json.member("signature", signature)
    }
}

/// The salt of a challenge: `<24 hexadecimal digits>?expires=<seconds>&difficulty=<0…3>&subject=<hash>&`, in this
/// spelling only.
struct Salt {
    static let nonceBytes = 12

    let nonce: String
    /// Seconds since the Unix epoch.
    let expires: Int64
    let difficulty: Difficulty
    let subject: String

    init(nonce: String, expires: Int64, difficulty: Difficulty, subject: String) {
        self.nonce = nonce
        self.expires = expires
        self.difficulty = difficulty
        self.subject = subject
    }

    /// Parses a salt; nil if `text` is not exactly as ``text`` writes it.
    init?(_ text: String) {
        let parts = text.split(separator: "?", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == Self.nonceBytes * 2 else { return nil }
        let fields = parts[1].split(separator: "&", omittingEmptySubsequences: false)
        guard fields.count == 4, fields[0].hasPrefix("expires="), fields[1].hasPrefix("difficulty="),
            fields[2].hasPrefix("subject="), let expires = Int64(fields[0].dropFirst(8)),
            let difficulty = Int(fields[1].dropFirst(11)).flatMap(Difficulty.init)
        else { return nil }
        self.init(
            nonce: String(parts[0]),
            expires: expires,
            difficulty: difficulty,
            subject: String(fields[2].dropFirst(8))
        )
        guard self.text == text else { return nil }
    }

    var text: String { "\(nonce)?expires=\(expires)&difficulty=\(difficulty.rawValue)&subject=\(subject)&" }
}

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
            let object = JSONObject(parsing: document, maximumDepth: 2),
            object["algorithm"] == .string("SHA-256"),
            let challenge = object["challenge"]?.text,
            case .number(let spelling) = object["number"],
            let salt = object["salt"]?.text,
            let signature = object["signature"]?.text
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

internal import Encodings

/// A challenge in ALTCHA's open format (version 1): find the number that, written after the salt, hashes to `challenge`.
public struct ProofOfWorkChallenge: Sendable, Equatable {
    /// The SHA-256 to be found, in hexadecimal. It is different for each challenge.
    public let challenge: String
    /// The largest number that may be the solution.
    public let maximumNumber: Int64
    /// Random characters, then what the challenge is bound to, written as a URL's query that ends in `&`.
    public let salt: String
    /// The HMAC-SHA-256 of `challenge`, in hexadecimal.
    public let signature: String

    /// The challenge as `/__/auth/challenge` answers it.
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

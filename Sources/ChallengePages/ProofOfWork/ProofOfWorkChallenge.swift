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

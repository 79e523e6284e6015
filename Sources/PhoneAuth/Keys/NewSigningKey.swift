public import Encodings

/// A signing key in the form written to a key file.
public struct NewSigningKey: Sendable, Confidential {
    /// The JWT header's `kid`.
    public let id: String
    /// An RSA key of 2048 bits or more, PEM (PKCS #1 or PKCS #8).
    let privateKey: String
    /// The self-signed X.509 certificate of its public key, PEM.
    let certificate: String

    /// Creates a key from its parts. They are checked only when the file is parsed.
    public init(id: String, privateKey: String, certificate: String) {
        self.id = id
        self.privateKey = privateKey
        self.certificate = certificate
    }

    /// Returns the key's entry in the file; `signsFrom` in seconds since the Unix epoch.
    func entry(signsFrom: Int64) -> JSONValue {
        .object(
            JSONObject(members: [
                ("id", .string(id)), ("privateKey", .string(privateKey)), ("certificate", .string(certificate)),
                ("signsFrom", .number(String(signsFrom))),
            ])
        )
    }
}

internal import Cryptography
public import Encodings

/// The operator's Google service account, which may decode the tokens of an app. It authenticates with assertions that
/// its key signs (RFC 7523 § 2.1).
public struct GoogleServiceAccount: Sendable, Confidential {
    /// The URL that issues access tokens.
    let tokenURL: ServiceURL
    private let email: String
    private let keyID: String?
    private let key: RSAPrivateKey

    private static let scope = "https://www.googleapis.com/auth/playintegrity"
    private static let assertionLifetimeSeconds: Int64 = 3600

    /// Parses the key file of a service account, as Google Cloud creates it: JSON with `client_email`, `private_key`
    /// and `token_uri`. Returns nil for another format, or if the key is not an RSA key of at least 2048 bits.
    public init?(file: [UInt8]) {
        guard case .object(let fields) = try? JSONValue.parse(file), case .string(let email) = fields["client_email"],
            !email.isEmpty, case .string(let pem) = fields["private_key"], let key = RSAPrivateKey(pem: pem),
            key.publicKey.bitCount >= 2048, case .string(let url) = fields["token_uri"],
            let tokenURL = try? ServiceURL(url, allowsPlainLoopback: true)
        else { return nil }
        self.email = email
        self.key = key
        self.tokenURL = tokenURL
        if case .string(let id) = fields["private_key_id"] { keyID = id } else { keyID = nil }
    }

    /// Returns an assertion of the account's identity: a JWT with RS256.
    func assertion(at now: Instant) throws(CryptographyFailure) -> String {
        let header = JSONWriter.object { json in
            json.member("alg", "RS256")
            json.member("typ", "JWT")
            if let keyID { json.member("kid", keyID) }
        }
        let claims = JSONWriter.object { json in
            json.member("iss", email)
            json.member("scope", Self.scope)
            json.member("aud", tokenURL.text)
            json.member("iat", now.seconds)
            json.member("exp", now.seconds + Self.assertionLifetimeSeconds)
        }
        var token = Base64URL.encode(header) + [UInt8(ascii: ".")] + Base64URL.encode(claims)
        let signature = try key.signature(for: token)
        token.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &token)
        return String(decoding: token, as: UTF8.self)
    }
}

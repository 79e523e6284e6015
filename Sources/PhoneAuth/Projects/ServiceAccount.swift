internal import Cryptography
public import Encodings

/// A server of the operator that may assert who a user is: it signs custom tokens with its own key.
///
/// Its file has the format that the Admin SDKs read: JSON with `client_email` and `private_key`. `public_key` is
/// accepted instead.
public struct ServiceAccount: Sendable, Confidential {
    /// The issuer in its tokens.
    public let email: String
    private let publicKey: String
    private let key: RSAPublicKey

    /// The unique id of the service account. It is different for another key with the same e-mail address.
    var mark: String { Base64URL.string(SHA256.hash(Array("\(email)\n\(publicKey)".utf8))) }

    /// Parses a file; nil if the format is invalid, or if the key is not an RSA key of at least 2048 bits.
    public init?(file: [UInt8]) {
        guard let fields = JSONObject(parsing: file), let email = fields["client_email"]?.text,
            !email.isEmpty
        else { return nil }
        self.email = email
        if let pem = fields["public_key"]?.text {
            guard let key = RSAPublicKey(pem: pem), key.bitCount >= 2048 else { return nil }
            publicKey = pem
            self.key = key
        } else if let pem = fields["private_key"]?.text,
            let key = RSAPrivateKey(pem: pem)?.publicKey, key.bitCount >= 2048, let text = try? key.pem()
        {
            publicKey = text
            self.key = key
        } else {
            return nil
        }
    }

    /// Returns whether `signature` is this account's signature of `signed`: RS256 (RFC 7518 § 3.3).
    func isValid(_ signature: [UInt8], for signed: some Collection<UInt8>) -> Bool {
        key.isValid(signature, for: Array(signed))
    }
}

extension ServiceAccount: Hashable {
    /// Returns whether name and key are equal.
    public static func == (left: ServiceAccount, right: ServiceAccount) -> Bool {
        left.email == right.email && left.publicKey == right.publicKey
    }

    /// Hashes the name and the key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(email)
        hasher.combine(publicKey)
    }
}

/// The issuers whose custom tokens a project accepts.
public enum CustomTokenIssuers: Hashable, Sendable {
    /// These service accounts; if the list is empty, no one can sign in with a custom token.
    case serviceAccounts([ServiceAccount])
    /// Any issuer, signed or not, as in the reference emulator. For development only: clients may claim to be any user.
    case anyoneUnverified
}

extension CustomTokenIssuers {
    /// The service accounts in the list.
    var accounts: [ServiceAccount] {
        switch self {
        case .serviceAccounts(let accounts): accounts
        case .anyoneUnverified: []
        }
    }
}

extension CompactJWT {
    /// Returns whether this service account signed the token, with the algorithm pinned to RS256.
    func isSigned(by account: ServiceAccount) -> Bool {
        isSigned("RS256") { account.isValid($0, for: $1) }
    }
}

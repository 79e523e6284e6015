internal import Cryptography
public import Encodings

/// A server of the operator's that may say who a user is: it signs custom tokens with a key of its own.
///
/// Files have the form that the Admin SDKs read: JSON with `client_email` and `private_key`. Here `public_key` does, too.
public struct ServiceAccount: Sendable, Confidential {
    /// What its tokens call it.
    public let email: String
    private let publicKey: String
    private let key: RSAPublicKey

    /// Tells it from all others, also from one of the same e-mail address with another key.
    var mark: String { Base64URL.string(SHA256.hash(Array("\(email)\n\(publicKey)".utf8))) }

    /// Reads a file; nil where it is none, or its key is not an RSA key of 2048 bits or more.
    public init?(file: [UInt8]) {
        guard case .object(let fields) = try? JSONValue.parse(file), case .string(let email) = fields["client_email"],
            !email.isEmpty
        else { return nil }
        self.email = email
        if case .string(let pem) = fields["public_key"] {
            guard let key = RSAPublicKey(pem: pem), key.bitCount >= 2048 else { return nil }
            publicKey = pem
            self.key = key
        } else if case .string(let pem) = fields["private_key"],
            let key = RSAPrivateKey(pem: pem)?.publicKey, key.bitCount >= 2048, let text = try? key.pem()
        {
            publicKey = text
            self.key = key
        } else {
            return nil
        }
    }

    /// Whether `signature` is this account's for `signed`: RS256 (RFC 7518 § 3.3).
    func isValid(_ signature: [UInt8], for signed: some Collection<UInt8>) -> Bool {
        key.isValid(signature, for: Array(signed))
    }
}

extension ServiceAccount: Hashable {
    /// Whether name and key are the same.
    public static func == (left: ServiceAccount, right: ServiceAccount) -> Bool {
        left.email == right.email && left.publicKey == right.publicKey
    }

    /// Feeds the name and the key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(email)
        hasher.combine(publicKey)
    }
}

/// Whose custom tokens a project takes.
public enum CustomTokenIssuers: Hashable, Sendable {
    /// Those of these service accounts; with none of them nobody signs in so.
    case serviceAccounts([ServiceAccount])
    /// Anybody's, signed or not, as the reference emulator does. For development only: whoever calls is whoever they say.
    case anyoneUnverified
}

extension CustomTokenIssuers {
    /// The service accounts that it names.
    var accounts: [ServiceAccount] {
        switch self {
        case .serviceAccounts(let accounts): accounts
        case .anyoneUnverified: []
        }
    }
}

public import Encodings

/// A stored password hash, whose text includes the algorithm and all parameters.
///
/// New hashes use Argon2id. Hashes with other algorithms are imported: they can be verified, and are replaced at the
/// next sign-in (``needsRehash(under:)``).
public enum StoredPassword: Sendable, Confidential {
    /// The algorithm of all new hashes.
    case argon2id(Argon2idHash)
    /// Imported from many systems.
    case bcrypt(BcryptHash)
    /// Imported from many systems; Firebase calls it `STANDARD_SCRYPT`.
    case scrypt(ScryptHash)
    /// Imported from Firebase, which calls it `SCRYPT`.
    case firebaseScrypt(FirebaseScryptHash)

    /// Parses a stored form, or a hash of another system that has the same form.
    ///
    /// Returns nil if the text is malformed, or if the hash would take more memory or time than any hash may.
    ///
    /// - Parameter text: the text, as ``text`` returns it.
    public init?(_ text: String) {
        if let hash = Argon2idHash(text: text) {
            self = .argon2id(hash)
        } else if let hash = BcryptHash(text: text) {
            self = .bcrypt(hash)
        } else if let hash = ScryptHash(text: text) {
            self = .scrypt(hash)
        } else if let hash = FirebaseScryptHash(text: text) {
            self = .firebaseScrypt(hash)
        } else {
            return nil
        }
    }

    /// The stored form: ASCII, at most 1,024 bytes. It must not reach logs, because it permits an offline guessing
    /// attack.
    public var text: String { hash.text }

    /// Whether the password should be rehashed at its next sign-in.
    ///
    /// - Parameter parameters: the parameters of new hashes.
    /// - Returns: true if the algorithm is not Argon2id, or if memory, passes, salt or hash are smaller than in a new
    ///   hash. A hash that is stronger in one respect and weaker in another is replaced. A hash that is only stronger
    ///   stays.
    public func needsRehash(under parameters: Argon2idParameters) -> Bool {
        switch self {
        case .argon2id(let hash): hash.isWeaker(than: parameters)
        case .bcrypt, .scrypt, .firebaseScrypt: true
        }
    }

    /// A hash without a known password that costs as much to verify. Its text names the algorithm and its parameters,
    /// and contains no secret.
    public var decoy: StoredPassword {
        switch self {
        case .argon2id(let hash): .argon2id(hash.decoy)
        case .bcrypt(let hash): .bcrypt(hash.decoy)
        case .scrypt(let hash): .scrypt(hash.decoy)
        case .firebaseScrypt(let hash): .firebaseScrypt(hash.decoy)
        }
    }

    var hash: any PasswordHash {
        switch self {
        case .argon2id(let hash): hash
        case .bcrypt(let hash): hash
        case .scrypt(let hash): hash
        case .firebaseScrypt(let hash): hash
        }
    }
}

/// Another system's password hash scheme: what all of its hashes have in common.
public enum ForeignHashScheme: Sendable {
    /// Firebase's modified scrypt, `SCRYPT`, with the parameters shown in its console.
    case firebaseScrypt(FirebaseHashParameters)
    /// scrypt (RFC 7914), which Firebase calls `STANDARD_SCRYPT`.
    case scrypt(ScryptParameters)
    /// `BCRYPT`: a hash's text includes salt and cost.
    case bcrypt

    /// Returns an account's password; nil if the hash or the salt does not fit this scheme, or exceeds ``HashLimits``.
    public func password(hash: [UInt8], salt: [UInt8]) -> StoredPassword? {
        switch self {
        case .firebaseScrypt(let parameters):
            FirebaseScryptHash(parameters: parameters, salt: salt, hash: hash).map(StoredPassword.firebaseScrypt)
        case .scrypt(let parameters):
            ScryptHash(parameters: parameters, salt: salt, hash: hash).map(StoredPassword.scrypt)
        case .bcrypt:
            BcryptHash(text: String(decoding: hash, as: UTF8.self)).map(StoredPassword.bcrypt)
        }
    }
}

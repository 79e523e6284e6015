public import Encodings

/// A stored password hash, whose text includes the algorithm and all parameters.
///
/// New ones are Argon2id. The others are imported. They verify, and are rehashed at the next sign-in: see
/// ``needsRehash(under:)``.
public enum StoredPassword: Sendable, Confidential {
    /// The algorithm of all new hashes.
    case argon2id(Argon2idHash)
    /// Imported from many systems.
    case bcrypt(BcryptHash)
    /// Imported from many systems; Firebase calls it `STANDARD_SCRYPT`.
    case scrypt(ScryptHash)
    /// Imported from Firebase, which calls it `SCRYPT`.
    case firebaseScrypt(FirebaseScryptHash)

    /// Reads a stored form, or a hash of another system in the same form.
    ///
    /// Returns nil if it is malformed, or would take more memory or time than any hash may.
    ///
    /// - Parameter text: as ``text`` wrote it.
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

    /// The stored form: ASCII, at most 1,024 bytes. It allows an offline guessing attack, so it never belongs in a log.
    public var text: String { hash.text }

    /// Whether the password should be rehashed at its next sign-in.
    ///
    /// - Parameter parameters: those of new hashes.
    /// - Returns: true if the algorithm is not Argon2id, or memory, passes, salt or hash are less than those of a new
    ///   hash. A hash that is stronger in one and weaker in another is replaced; a hash that is only stronger stays.
    public func needsRehash(under parameters: Argon2idParameters) -> Bool {
        switch self {
        case .argon2id(let hash): hash.isWeaker(than: parameters)
        case .bcrypt, .scrypt, .firebaseScrypt: true
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

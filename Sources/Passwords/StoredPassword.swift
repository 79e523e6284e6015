public import Encodings

/// A password's hash, as it is stored: with its algorithm and all parameters in its text.
///
/// New ones are Argon2id. The others come by import, verify, and are replaced at the next sign-in:
/// see ``needsRehash(under:)``.
public enum StoredPassword: Sendable, Confidential {
    /// The algorithm of all new hashes.
    case argon2id(Argon2idHash)
    /// From many systems.
    case bcrypt(BcryptHash)
    /// From many systems; Firebase calls it `STANDARD_SCRYPT`.
    case scrypt(ScryptHash)
    /// From Firebase, which calls it `SCRYPT`.
    case firebaseScrypt(FirebaseScryptHash)

    /// Reads a stored form, or a hash of another system in the same form.
    ///
    /// Returns nil where no algorithm reads it, or one would take more memory or time than is granted to any hash.
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

    /// The stored form: ASCII, at most 1,024 bytes. Whoever has it can try passwords, so it belongs into no log.
    public var text: String { hash.text }

    /// Whether the password should be hashed anew when it is known again, at its next sign-in.
    ///
    /// - Parameter parameters: those of new hashes.
    /// - Returns: true where the algorithm is another one than Argon2id, or memory, passes, salt or hash are less than those
    ///   of a new one. A hash that is stronger in one and weaker in another is replaced; one that is stronger stays.
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

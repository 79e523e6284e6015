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

/// How another system hashed its passwords: what all its hashes have in common.
public enum ForeignHashScheme: Sendable {
    /// Firebase's own, `SCRYPT`, with the parameters that its console shows.
    case firebaseScrypt(FirebaseHashParameters)
    /// RFC 7914, which Firebase calls `STANDARD_SCRYPT`.
    case scrypt(ScryptParameters)
    /// `BCRYPT`: a hash is its whole text, with salt and cost.
    case bcrypt

    /// An account's password; nil where hash or salt are not of this scheme, or ask for more than is granted to any hash.
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

internal import Encodings
internal import Passwords

/// How an import says that its passwords were hashed.
extension ForeignHashScheme {
    /// Nil where the import names no algorithm.
    init?(_ fields: Fields) throws(WireError) {
        switch try fields.nonEmptyText("hashAlgorithm") {
        case nil:
            return nil
        case "SCRYPT":
            guard
                let parameters = FirebaseHashParameters(
                    signerKey: try fields.base64("signerKey"),
                    saltSeparator: try fields.base64("saltSeparator"),
                    rounds: try fields.count("rounds"),
                    memoryCost: try fields.count("memoryCost")
                )
            else { throw .hashParametersInvalid }
            self = .firebaseScrypt(parameters)
        case "STANDARD_SCRYPT":
            guard
                let parameters = ScryptParameters(
                    cost: try fields.count("cpuMemCost"),
                    blockSize: try fields.count("blockSize"),
                    parallelism: try fields.count("parallelization")
                )
            else { throw .hashParametersInvalid }
            self = .scrypt(parameters)
        case "BCRYPT":
            self = .bcrypt
        default:
            throw .badRequest("INVALID_HASH_ALGORITHM : Only SCRYPT, STANDARD_SCRYPT and BCRYPT are taken.")
        }
    }

    /// An account's password; nil where it has none.
    static func password(of user: Fields, _ scheme: ForeignHashScheme?) throws(WireError) -> StoredPassword? {
        let hash = try user.base64("passwordHash")
        guard !hash.isEmpty else { return nil }
        guard let scheme else { throw .badRequest("MISSING_HASH_ALGORITHM") }
        guard let password = scheme.password(hash: hash, salt: try user.base64("salt")) else {
            throw .badRequest("INVALID_PASSWORD_HASH")
        }
        return password
    }
}

extension Fields {
    /// Bytes in either alphabet of RFC 4648, with or without padding; none where the field is absent.
    fileprivate func base64(_ name: String) throws(WireError) -> [UInt8] {
        guard let text = try nonEmptyText(name) else { return [] }
        guard let bytes = Base64.decode(eitherAlphabet: text.utf8) else {
            throw .invalidPayload("Invalid value at '\(name)' (TYPE_BYTES).")
        }
        return bytes
    }

    /// A number; 0, which no algorithm takes, where it is absent.
    fileprivate func count(_ name: String) throws(WireError) -> Int {
        guard let text = try nonEmptyText(name) else { return 0 }
        guard let number = Int(text) else { throw .invalidPayload("Invalid value at '\(name)' (TYPE_INT32).") }
        return number
    }
}

extension WireError {
    fileprivate static let hashParametersInvalid = badRequest(
        "INVALID_HASH_PARAMETERS : They are missing, or ask for more work or memory than is granted to a hash."
    )
}

internal import Encodings
internal import Passwords

/// The password hash algorithm and parameters of an import.
extension ForeignHashScheme {
    /// Reads the algorithm and its parameters; nil if the import names no algorithm.
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
            throw .code(.invalidHashAlgorithm, "Only SCRYPT, STANDARD_SCRYPT and BCRYPT are supported.")
        }
    }
}

extension Fields {
    /// Returns bytes in either alphabet of RFC 4648, with or without padding; empty if the field is absent.
    fileprivate func base64(_ name: String) throws(WireError) -> [UInt8] {
        guard let text = try nonEmptyText(name) else { return [] }
        guard let bytes = Base64.decode(eitherAlphabet: text.utf8) else {
            throw .invalidPayload("Invalid value at '\(name)' (TYPE_BYTES).")
        }
        return bytes
    }

    /// Returns a number; 0, which no algorithm accepts, if the field is absent.
    fileprivate func count(_ name: String) throws(WireError) -> Int {
        Int(try integer(name, "INT32") ?? 0)
    }
}

extension WireError {
    fileprivate static let hashParametersInvalid = code(
        .invalidHashParameters,
        "They are missing, or ask for more work or memory than is granted to a hash."
    )
}

internal import Cryptography
public import Encodings

/// A hash of Firebase's modified scrypt: `$firebase-scrypt$ln=14,r=8,k=…,s=…$salt$hash`, where `ln` is the memory cost,
/// `r` the rounds, `k` the signer key and `s` the salt separator.
///
/// Source: github.com/firebase/scrypt. scrypt derives a 32-byte key from the password and salt ‖ separator. With this
/// key, AES-256-CTR encrypts the signer key, with a counter that starts at 0. The ciphertext is the hash.
///
/// Without the signer key a guessing attack on the hash is impossible. The text contains both, so it must be stored
/// sealed.
public struct FirebaseScryptHash: PasswordHash {
    /// The parameters of the project that the hash comes from.
    public let parameters: FirebaseHashParameters
    /// The account's salt.
    public let salt: [UInt8]
    /// Firebase's `passwordHash`.
    public let hash: [UInt8]

    /// Creates an imported hash.
    ///
    /// Returns nil if the hash is not as long as the signer key, or the salt has more than 128 bytes.
    ///
    /// - Parameters:
    ///   - parameters: the parameters of the project that the hash comes from.
    ///   - salt: the account's salt, decoded.
    ///   - hash: the account's password hash, decoded.
    public init?(parameters: FirebaseHashParameters, salt: [UInt8], hash: [UInt8]) {
        guard HashLimits.importedSaltBytes.contains(salt.count), hash.count == parameters.signerKey.count else {
            return nil
        }
        self.parameters = parameters
        self.salt = salt
        self.hash = hash
    }

    init?(text: String) {
        guard let string = PHCString(text, algorithm: "firebase-scrypt", fieldCount: 4),
            let values = string.values(1, "ln", "r", "k", "s"),
            let memoryCost = PHCString.number(values[0]), let rounds = PHCString.number(values[1]),
            let signerKey = PHCString.bytes(values[2]), let saltSeparator = PHCString.bytes(values[3]),
            let parameters = FirebaseHashParameters(
                signerKey: signerKey,
                saltSeparator: saltSeparator,
                rounds: rounds,
                memoryCost: memoryCost
            ),
            let salt = PHCString.bytes(string[2]), let hash = PHCString.bytes(string[3])
        else { return nil }
        self.init(parameters: parameters, salt: salt, hash: hash)
    }

    var text: String {
        let scrypt = parameters.scrypt
        let keys = "k=\(PHCString.base64(parameters.signerKey)),s=\(PHCString.base64(parameters.saltSeparator))"
        let cost = "ln=\(scrypt.logarithmOfCost),r=\(scrypt.blockSize),\(keys)"
        return "$firebase-scrypt$\(cost)$\(PHCString.base64(salt))$\(PHCString.base64(hash))"
    }

    private init(decoyOf parameters: FirebaseHashParameters) {
        self.parameters = parameters.decoy
        salt = [UInt8](repeating: 0, count: PasswordSalt.byteCount)
        hash = self.parameters.signerKey
    }

    var decoy: FirebaseScryptHash { FirebaseScryptHash(decoyOf: parameters) }

    var memoryBytes: Int { parameters.scrypt.memoryBytes }

    func matches(_ password: Password) throws(OutOfMemory) -> Bool {
        let key = try parameters.scrypt.key(of: password, salt: salt + parameters.saltSeparator, byteCount: 32)
        do {
            return equalInConstantTime(try AES256CTR.encrypt(parameters.signerKey, key: key), hash)
        } catch {
            throw OutOfMemory()
        }
    }
}

/// A Firebase project's password hash parameters, as the Firebase console shows them.
///
/// Source: github.com/firebase/scrypt, README. The bounds of rounds and memory cost are those that Firebase's Admin
/// SDKs check (`UserImportHash.scrypt`).
public struct FirebaseHashParameters: Hashable, Sendable, Confidential {
    let signerKey: [UInt8]
    let saltSeparator: [UInt8]
    /// N = 2^(memory cost), r = rounds, p = 1.
    let scrypt: ScryptParameters

    /// Creates a project's parameters.
    ///
    /// Returns nil if one is out of range.
    ///
    /// - Parameters:
    ///   - signerKey: `base64_signer_key`, decoded: 16 to 128 bytes; Firebase generates 64.
    ///   - saltSeparator: `base64_salt_separator`, decoded: at most 16 bytes.
    ///   - rounds: 1 to 8.
    ///   - memoryCost: `mem_cost`: 1 to 14.
    public init?(signerKey: [UInt8], saltSeparator: [UInt8], rounds: Int, memoryCost: Int) {
        guard HashLimits.hashBytes.contains(signerKey.count), saltSeparator.count <= 16, (1...8).contains(rounds),
            (1...14).contains(memoryCost),
            let scrypt = ScryptParameters(logarithmOfCost: memoryCost, blockSize: rounds, parallelism: 1)
        else { return nil }
        self.init(signerKey: signerKey, saltSeparator: saltSeparator, scrypt: scrypt)
    }

    private init(signerKey: [UInt8], saltSeparator: [UInt8], scrypt: ScryptParameters) {
        self.signerKey = signerKey
        self.saltSeparator = saltSeparator
        self.scrypt = scrypt
    }

    /// Parameters with the same cost and no secret.
    var decoy: FirebaseHashParameters {
        let key = [UInt8](repeating: 0, count: HashLimits.hashBytes.lowerBound)
        return FirebaseHashParameters(signerKey: key, saltSeparator: [], scrypt: scrypt)
    }
}

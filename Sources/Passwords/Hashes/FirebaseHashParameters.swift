public import Encodings

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

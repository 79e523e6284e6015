public import Encodings
internal import Crypto

/// Every secret of a deployment, ready for use. Workers of one deployment have the same.
///
/// The symmetric keys never change; copies share the ``signingKeys``, which do.
public struct ServerKeys: Sendable, Confidential {
    /// The keys that sign ID tokens.
    public let signingKeys: SigningKeyRing
    let codes: KeyedHash
    let indexes: KeyedHash
    let data: DataKeys

    init(serverKey: SymmetricKey, indexKey: SymmetricKey, data: DataKeys, signingKeys: SigningKeys) {
        codes = KeyedHash(key: serverKey)
        indexes = KeyedHash(key: indexKey)
        self.data = data
        self.signingKeys = SigningKeyRing(signingKeys)
    }

    /// The key that signs at a time.
    func signingKey(at now: Instant) -> SigningKey {
        signingKeys.current.signing(at: now)
    }

    /// The published key called `id`.
    func signingKey(_ id: String) -> SigningKey? {
        signingKeys.current.key(id)
    }

    /// Takes over the signing keys of a key file that was read anew; data keys change with the next start.
    /// - Returns: whether they are others than before.
    /// - Throws: ``KeyFileError`` where the file is another deployment's: then all stays as it was.
    public func adoptSigningKeys(of other: ServerKeys) throws(KeyFileError) -> Bool {
        guard equalInConstantTime(deploymentMark, other.deploymentMark) else {
            throw KeyFileError(description: "serverKey, indexKey: are those of another deployment")
        }
        let new = other.signingKeys.current
        guard new != signingKeys.current else { return false }
        signingKeys.replace(with: new)
        return true
    }

    /// Equal where both keys are; tells nothing about them.
    private var deploymentMark: [UInt8] { codes("deployment") + indexes("deployment") }
}

public import Encodings
internal import Crypto

/// Every secret of a deployment, ready for use. Workers of one deployment have the same.
///
/// The index key never changes; copies share the ``signingKeys`` and the secrets, which do.
public struct ServerKeys: Sendable, Confidential {
    /// The keys that sign ID tokens.
    public let signingKeys: SigningKeyRing
    let indexes: KeyedHash
    private let secrets: SecretKeyRing
    /// The server key of the first generation, which stays in the file.
    private let root: KeyedHash

    init(serverKey: SymmetricKey, indexKey: SymmetricKey, secrets: SecretKeys, signingKeys: SigningKeys) {
        root = KeyedHash(key: serverKey)
        indexes = KeyedHash(key: indexKey)
        self.secrets = SecretKeyRing(secrets)
        self.signingKeys = SigningKeyRing(signingKeys)
    }

    /// Seals, and opens what any generation sealed.
    var data: DataKeys { secrets.current.data }

    /// Derives authenticators.
    var codes: KeyedHash { secrets.current.codes }

    /// Derives the authenticators that are accepted, the present one first.
    var acceptedCodes: [KeyedHash] { secrets.current.allCodes }

    /// Derives for what was sealed under a data key.
    func codes(sealedBy id: UInt8) -> KeyedHash { secrets.current.codes(sealedBy: id) ?? codes }

    /// Whether a sealed value was sealed by a key that is known here.
    func knows(_ sealed: some Collection<UInt8>) -> Bool { secrets.current.knows(sealed) }

    /// Brings the secrets into use whose time has come. Call it about once a second.
    public func advance(to now: Instant) {
        secrets.replace(with: secrets.current.at(now))
    }

    /// What each generation of secrets does at a time, by its id.
    public func secretStates(at now: Instant) -> [(id: UInt8, state: SecretKeyState)] {
        secrets.current.states(at: now)
    }

    /// The key that signs at a time.
    func signingKey(at now: Instant) -> SigningKey {
        signingKeys.current.signing(at: now)
    }

    /// The published key called `id`.
    func signingKey(_ id: String) -> SigningKey? {
        signingKeys.current.key(id)
    }

    /// Takes over the signing keys and the secrets of a key file that was read anew.
    /// - Returns: whether the signing keys are others than before.
    /// - Throws: ``KeyFileError`` if the file is another deployment's or lacks a secret: then all stays as it was.
    public func adopt(_ other: ServerKeys) throws(KeyFileError) -> Bool {
        guard equalInConstantTime(deploymentMark, other.deploymentMark) else {
            throw KeyFileError(description: "serverKey, indexKey: are those of another deployment")
        }
        guard other.secrets.current.includes(secrets.current) else {
            throw KeyFileError(description: "dataKeys: a key is missing, and what it sealed could not be read")
        }
        secrets.replace(with: other.secrets.current)
        let new = other.signingKeys.current
        guard new != signingKeys.current else { return false }
        signingKeys.replace(with: new)
        return true
    }

    /// Equal where both keys are; tells nothing about them.
    private var deploymentMark: [UInt8] { root("deployment") + indexes("deployment") }
}

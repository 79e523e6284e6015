public import Encodings
public import RedisScripts

/// All secrets of a deployment, the same in all of its workers.
///
/// Copies share ``signingKeys``, the secrets and the index keys of the file. The index key under which a copy hashes
/// never changes, so no unit of work hashes under two keys.
public struct ServerKeys: Sendable, Confidential {
    /// The keys that sign ID tokens.
    public let signingKeys: SigningKeyRing
    /// The index key under which this copy hashes: the one in force if ``hasUsedIndexKey``, else the file's first.
    let indexKey: IndexKey
    /// Whether ``indexKey`` was seen in force.
    let hasUsedIndexKey: Bool
    private let indexKeyRing: IndexKeyRing
    private let secrets: SecretKeyRing
    /// Equal if the server keys of the first generation, which stay in the file, are equal; reveals nothing about them.
    private let deploymentMark: String
    /// Hashes whatever Redis must look up but not read, except numbers and e-mail addresses: networks, clients and
    /// devices. It is derived from the first server key, so a move to another index key forgets none of them.
    let lookups: KeyedHash

    /// Returns nil without an index key.
    init?(serverKey: KeyedHash, indexKeys: [IndexKey], secrets: SecretKeys, signingKeys: SigningKeys) {
        indexKeyRing = IndexKeyRing(indexKeys)
        guard let first = indexKeyRing.keys.first else { return nil }
        indexKey = first
        hasUsedIndexKey = false
        deploymentMark = Hexadecimal.encode(serverKey("deployment"))
        lookups = KeyedHash(key: serverKey("lookups"))
        self.secrets = SecretKeyRing(secrets)
        self.signingKeys = SigningKeyRing(signingKeys)
    }

    private init(_ keys: ServerKeys, hashingUnder indexKey: IndexKey) {
        self.indexKey = indexKey
        hasUsedIndexKey = true
        indexKeyRing = keys.indexKeyRing
        deploymentMark = keys.deploymentMark
        lookups = keys.lookups
        secrets = keys.secrets
        signingKeys = keys.signingKeys
    }

    /// Returns the same keys, hashing under the index key with this id, which is in force; nil if the key file lacks
    /// it.
    func hashing(under id: UInt8) -> ServerKeys? {
        guard let key = indexKeyRing.key(id) else { return nil }
        indexKeyRing.noteUse(id)
        return ServerKeys(self, hashingUnder: key)
    }

    /// All index keys of the key file, in the order of their ids.
    var indexKeys: [IndexKey] { indexKeyRing.keys }

    /// The ids of all index keys of the key file, in their order.
    public var indexKeyIDs: [UInt8] { indexKeys.map(\.id) }

    /// Seals, and opens what any generation sealed.
    var data: DataKeys { secrets.current.data }

    /// Derives authenticators.
    var codes: KeyedHash { secrets.current.codes }

    /// Derives the accepted authenticators, the current one first.
    var acceptedCodes: [KeyedHash] { secrets.current.allCodes }

    /// Derives for a value that was sealed with a data key.
    func codes(sealedBy id: UInt8) -> KeyedHash { secrets.current.codes(sealedBy: id) ?? codes }

    /// Returns whether a sealed value was sealed with a known key.
    func knows(_ sealed: some Collection<UInt8>) -> Bool { secrets.current.knows(sealed) }

    /// Activates the secrets whose start time has come. Call it about once a second.
    public func advance(to now: Instant) {
        secrets.replace(with: secrets.current.at(now))
    }

    /// Returns the state of each generation of secrets at a time, with its id.
    public func secretStates(at now: Instant) -> [(id: UInt8, state: SecretKeyState)] {
        secrets.current.states(at: now)
    }

    /// Returns the key that signs at a time.
    func signingKey(at now: Instant) -> SigningKey {
        signingKeys.current.signing(at: now)
    }

    /// Returns the published key with this `id`.
    func signingKey(_ id: String) -> SigningKey? {
        signingKeys.current.key(id)
    }

    /// Adopts the signing keys, the index keys and the secrets of a reloaded key file, the secrets as used at `now`: a
    /// parsed file uses its oldest ones.
    /// - Returns: whether the signing keys changed.
    /// - Throws: ``KeyFileError`` if the file is another deployment's or lacks a secret; then nothing has changed.
    public func adopt(_ other: ServerKeys, at now: Instant) throws(KeyFileError) -> Bool {
        guard equalInConstantTime(Array(deploymentMark.utf8), Array(other.deploymentMark.utf8)),
            !indexKeyRing.contradicts(other.indexKeyRing)
        else {
            throw KeyFileError(description: "serverKey, indexKeys: these keys are another deployment's")
        }
        guard other.secrets.current.includes(secrets.current) else {
            throw KeyFileError(description: "dataKeys: a key is missing, so what it encrypted could not be read")
        }
        try indexKeyRing.replace(with: other.indexKeyRing)
        secrets.replace(with: other.secrets.current.at(now))
        let new = other.signingKeys.current
        guard new != signingKeys.current else { return false }
        signingKeys.replace(with: new)
        return true
    }

    /// The marks that the deployment's Redis must have.
    public var deploymentMarks: DeploymentMarks {
        DeploymentMarks(keys: deploymentMark, indexKeys: indexKeyRing.marks)
    }
}

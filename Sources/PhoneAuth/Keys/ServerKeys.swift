internal import Crypto

/// Every secret of a deployment, ready for use. Workers of one deployment have the same.
public struct ServerKeys: Sendable, Confidential {
    /// All keys whose tokens are still good; published to verifiers.
    public let signingKeys: [SigningKey]
    /// The one that signs.
    public let activeSigningKey: SigningKey
    let codes: KeyedHash
    let indexes: KeyedHash
    let data: DataKeys

    init(
        serverKey: SymmetricKey,
        indexKey: SymmetricKey,
        data: DataKeys,
        signingKeys: [SigningKey],
        activeSigningKey: SigningKey
    ) {
        codes = KeyedHash(key: serverKey)
        indexes = KeyedHash(key: indexKey)
        self.data = data
        self.signingKeys = signingKeys
        self.activeSigningKey = activeSigningKey
    }

    /// The published key called `id`.
    func signingKey(_ id: String) -> SigningKey? {
        signingKeys.first { $0.id == id }
    }
}

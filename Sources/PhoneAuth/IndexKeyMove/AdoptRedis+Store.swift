public import Redis
public import RedisScripts

/// The result of `Store.adopt`.
public enum RedisAdoption: Equatable, Sendable {
    case adopted
    /// Redis was this deployment's before.
    case known
    /// Redis is another deployment's, and was not changed.
    case refused(DeploymentMismatch)
    /// Redis has no mark, but keys of Dialtone that do not expire, and was not changed.
    case hasData
    /// A backup was restored in part.
    case isBeingRestored
}

extension Store {
    /// Marks a Redis without a mark as this deployment's. Never replaces a mark.
    ///
    /// - Parameters:
    ///   - configuration: how to connect.
    ///   - shards: the number of shards of the deployment's keys.
    ///   - marks: the marks of the key file.
    ///   - withData: whether the data in Redis, if there is any, is this deployment's.
    /// - Returns: whether Redis is the deployment's now, or why not.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public static func adopt(
        _ configuration: ConnectionConfiguration,
        shards: ShardCount,
        marks: DeploymentMarks,
        withData: Bool
    ) throws(StoreUnavailable) -> RedisAdoption {
        let store = Store(configuration, shards: shards, projects: [], marks: nil)
        let key = KeyNames.deployment
        let isKnown = try !store.send("HGET", key, DeploymentMarks.keysField).isNull
        if !isKnown, try store.isBeingRestored() { return .isBeingRestored }
        if !isKnown, !withData, try store.hasData() { return .hasData }
        // The mark that was lost also said which index key is in force. Claims say it, too.
        let indexKey = isKnown || !withData ? nil : try store.indexKeyStateOfClaims()
        // The first of concurrent adoptions decides; only its deployment records the rest.
        _ = try store.send("HSETNX", [key, DeploymentMarks.keysField, marks.keys], isConfirmed: true)
        let stored = try store.send("HGETALL", key).fields(from: 0).texts
        if let mismatch = marks.mismatch(with: stored, shards) { return .refused(mismatch) }
        let rest =
            [(DeploymentMarks.shardsField, String(shards.value))]
            + marks.indexKeys.map { (DeploymentMarks.field(ofIndexKey: $0.key), $0.value) }
            + (indexKey.map { [(IndexKeyState.field, $0.text)] } ?? [])
        for (field, value) in rest where stored[field] == nil {
            _ = try store.send("HSETNX", [key, field, value], isConfirmed: true)
        }
        return isKnown ? .known : .adopted
    }

    /// Returns the index keys of the hashes under which claims are stored: two if a move was not completed, none if
    /// there are no claims.
    func indexKeyStateOfClaims() throws(StoreUnavailable) -> IndexKeyState? {
        var ids: Set<UInt8> = []
        for kind in IdentifierKind.allCases {
            var scan = KeyScan(self, KeyNames.anyOfIdentifiers + "\(kind.rawValue):*")
            while let keys = try scan.next() {
                ids.formUnion(keys.compactMap { KeyNames.identifierHash(ofKey: $0).map { IndexKeyHash.id(of: $0) } })
            }
        }
        guard let first = ids.min(), let last = ids.max() else { return nil }
        return IndexKeyState(id: first, next: first == last ? nil : last)
    }
}

internal import RedisScripts

/// Reads that scan whole shards: for a developer's own Redis, not for a deployment's.
extension Store {
    /// Returns all open sessions of a project.
    /// - Throws: ``StoreUnavailable``.
    func openSessions(of project: String) throws(StoreUnavailable) -> [ListedVerification] {
        var sessions: [String: ListedVerification] = [:]
        var scan = KeyScan(self, KeyNames.anyVerification(of: project))
        while let keys = try scan.next() {
            for (key, reply) in zip(keys, try sendAll("GET", keys.map { [$0] })) {
                guard let stored = reply.bytes, let session = StoredVerification(stored: stored),
                    let id = KeyNames.verificationID(ofKey: key, of: project)
                else { continue }
                sessions[key] = ListedVerification(id: id, session)
            }
        }
        return Array(sessions.values)
    }
}

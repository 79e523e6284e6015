/// Reads that scan whole shards: for a developer's own Redis, not for a deployment's.
extension Store {
    /// Returns all open sessions of a project.
    /// - Throws: ``StoreUnavailable``.
    public func openSessions(of project: String) throws(StoreUnavailable) -> [ListedSession] {
        var sessions: [String: ListedSession] = [:]
        var scan = KeyScan(self, KeyNames.anySession(of: project))
        while let keys = try scan.next() {
            for (key, reply) in zip(keys, try pipeline("HGETALL", keys.map { [$0] })) {
                let fields = reply.fields(from: 0)
                guard fields.text("state") == "open", let origin = SessionOrigin(fields),
                    let id = KeyNames.sessionID(ofKey: key, of: project),
                    let session = ListedSession(id: id, fields: fields, origin: origin)
                else { continue }
                sessions[key] = session
            }
        }
        return Array(sessions.values)
    }
}

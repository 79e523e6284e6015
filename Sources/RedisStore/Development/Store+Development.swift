/// Reads that scan whole shards: for a developer's own Redis, not for a deployment's.
extension Store {
    /// Returns all open sessions of a project.
    /// - Throws: ``StoreUnavailable``.
    public func openSessions(of project: String) throws(StoreUnavailable) -> [OpenSession] {
        var sessions: [OpenSession] = []
        var cursor = "0"
        repeat {
            let page = try send("SCAN", cursor, "MATCH", KeyNames.anySession, "COUNT", "10000")
            cursor = try page.text(at: 0)
            let keys = try page.reply(at: 1).texts()
            for (key, reply) in zip(keys, try pipeline("HGETALL", keys.map { [$0] })) {
                let fields = reply.fields(from: 0)
                guard fields.text("state") == "open", fields.text("project") == project,
                    let id = KeyNames.sessionID(ofKey: key), let session = OpenSession(id: id, fields: fields)
                else { continue }
                sessions.append(session)
            }
        } while cursor != "0"
        return sessions
    }
}

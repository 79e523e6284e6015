/// Reads that walk over whole shards: for a developer's own Redis, not for a deployment's.
extension Store {
    /// Every session of a project that is open.
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
                guard fields["state"] == Array("open".utf8), fields["project"] == Array(project.utf8),
                    let id = KeyNames.sessionID(ofKey: key), let session = OpenSession(id: id, fields: fields)
                else { continue }
                sessions.append(session)
            }
        } while cursor != "0"
        return sessions
    }

    /// What tests have set, or the defaults.
    /// - Throws: ``StoreUnavailable``.
    public func emulatorConfig(of project: String) throws(StoreUnavailable) -> EmulatorConfig {
        let fields = try send("HGETALL", KeyNames.emulatorConfig(project)).fields(from: 0)
        func isOn(_ name: String) -> Bool { fields[name] == [UInt8(ascii: "1")] }
        return EmulatorConfig(
            allowDuplicateEmails: isOn("allow-duplicate-emails"),
            enableImprovedEmailPrivacy: isOn("enable-improved-email-privacy")
        )
    }

    /// Keeps what a test sets.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func setEmulatorConfig(_ config: EmulatorConfig, of project: String) throws(StoreUnavailable) {
        _ = try send(
            "HSET",
            KeyNames.emulatorConfig(project),
            "allow-duplicate-emails",
            config.allowDuplicateEmails ? "1" : "0",
            "enable-improved-email-privacy",
            config.enableImprovedEmailPrivacy ? "1" : "0"
        )
    }
}

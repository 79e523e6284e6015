internal import Redis
internal import RedisScripts

/// An e-mail that no gateway accepted.
struct DeadMail: Sendable {
    /// The entry in the stream of dead e-mails, with the content of the e-mail.
    let item: OutboxItem
    /// The e-mail's id.
    let id: QueuedMessageID
    /// When the e-mail was requested; milliseconds since the Unix epoch.
    let queuedAt: Int64
    /// The gateways that rejected the e-mail.
    let tried: [String]
    /// Why the dispatcher gave up on the e-mail.
    let reason: String

    init?(_ item: OutboxItem) {
        guard let id = item.fields.text("message"), let queuedAt = item.fields.integer("queued"),
            let reason = item.fields.text("reason")
        else { return nil }
        self.item = item
        self.id = QueuedMessageID(project: item.project, entryID: id)
        self.queuedAt = queuedAt
        tried = (item.fields.text("tried") ?? "").split(separator: ",").map(String.init)
        self.reason = reason
    }
}

extension Store {
    /// Returns the latest e-mails that no gateway accepted, up to about a thousand of each project, oldest first.
    /// - Throws: ``StoreUnavailable``.
    func deadMails() throws(StoreUnavailable) -> [DeadMail] {
        try items(of: .mails) { KeyNames.deadMails(of: $0) }.compactMap(DeadMail.init)
            .sorted { $0.queuedAt < $1.queuedAt }
    }

    /// Moves a dead e-mail back to the outbox, for all gateways, unless its link has expired.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func requeue(_ mail: DeadMail, now: Int64) throws(StoreUnavailable) -> RequeuedMessage {
        let call = ScriptCall(
            .requeueMail,
            keys: [
                "deadMailsKey": KeyNames.deadMails(of: mail.id.project), "outboxKey": mail.item.key,
                "recordKey": KeyNames.mail(mail.id),
            ],
            ["id": .text(mail.item.entryID), "now": .integer(now)]
        )
        guard let outcome = RequeuedMessage(rawValue: try run(call).text()) else { throw .unexpectedReply }
        return outcome
    }

    /// Removes a dead e-mail.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func drop(_ mail: DeadMail) throws(StoreUnavailable) {
        _ = try send("XDEL", KeyNames.deadMails(of: mail.id.project), mail.item.entryID)
    }
}

internal import Redis
internal import RedisScripts

extension Store {
    /// Returns a project's latest messages or e-mails that no gateway accepted, up to about a thousand, oldest first.
    /// - Throws: ``StoreUnavailable``.
    func undeliverableItems(of outbox: Outbox, _ project: String) throws(StoreUnavailable) -> [OutboxItem] {
        try items(of: outbox, project, in: KeyNames.undeliverable(outbox, of: project))
    }

    /// Moves an undeliverable message or e-mail back to the outbox, for all gateways, while its session is open or its
    /// link is valid.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func requeue(_ message: ListedMessage, now: Int64) throws(StoreUnavailable) -> RequeuedMessage {
        let (item, session) = (message.item, QueuedMessage(message.item)?.session)
        let call = ScriptCall(
            .requeueItem,
            keys: NamedValues(
                [
                    "undeliverableKey": KeyNames.undeliverable(item.outbox, of: item.project), "outboxKey": item.key,
                    "recordKey": KeyNames.record(of: message.id, item.outbox),
                ],
                list: "sessionKeys",
                session.map { [KeyNames.verification($0)] } ?? []
            ),
            ["id": .text(item.entryID), "now": .integer(now)]
        )
        guard let outcome = RequeuedMessage(rawValue: try run(call).text()) else { throw .unexpectedReply }
        return outcome
    }

    /// Removes an undeliverable message or e-mail.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func drop(_ item: OutboxItem) throws(StoreUnavailable) {
        _ = try send("XDEL", KeyNames.undeliverable(item.outbox, of: item.project), item.entryID)
    }
}

internal import Encodings
internal import Redis
internal import RedisScripts

extension Store {
    private static let maximumDeadMails: Int64 = 1000

    /// Removes an e-mail from the outbox and records its outcome, in one atomic step.
    /// - Returns: whether this call removed the e-mail: false if another dispatcher had removed it.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func finish(
        _ mail: PendingMail,
        _ outcome: String,
        _ fields: [(name: String, value: String)],
        now: Int64
    ) throws(StoreUnavailable) -> Bool {
        let call = ScriptCall(
            .finishMail,
            keys: [
                "outboxKey": mail.item.key,
                "recordKey": KeyNames.record(of: mail.id, .mails),
                "deadMailsKey": KeyNames.undeliverable(.mails, of: mail.project),
            ],
            NamedValues(
                [
                    "id": .text(mail.item.entryID),
                    "group": .text(Self.dispatchers),
                    "outcome": .text(outcome),
                    "now": .integer(now),
                    "recordLife": .integer(PendingMessage.outcomeMemory.milliseconds),
                    "maximumDeadMails": .integer(Self.maximumDeadMails),
                ],
                list: "fields",
                fields.flatMap { [.text($0.name), .text($0.value)] }
            )
        )
        return try run(call).integer() == 1
    }
}

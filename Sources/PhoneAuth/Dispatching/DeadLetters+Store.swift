internal import Redis
internal import RedisScripts

/// A message that no gateway accepted.
struct DeadLetter: Sendable {
    /// The entry in the stream of dead letters.
    let entryID: String
    /// The message's id.
    let message: QueuedMessageID
    /// The session whose code the message carried.
    let session: VerificationID
    /// The project's id.
    public let project: String
    /// The session's purpose.
    let purpose: String
    /// The number, sealed.
    let sealedNumber: [UInt8]
    /// When the user requested the message; milliseconds since the Unix epoch.
    let queuedAt: Int64
    /// The gateways that had the message.
    let tried: [String]
    /// Why the dispatcher gave up on the message.
    let reason: String

    init?(_ item: OutboxItem) {
        guard let message = QueuedMessage(item), let reason = item.fields.text("reason"),
            let id = item.fields.text("message")
        else { return nil }
        entryID = item.entryID
        self.message = QueuedMessageID(project: item.project, entryID: id)
        session = message.session
        project = message.project
        purpose = message.purpose
        sealedNumber = message.sealedNumber
        queuedAt = message.queuedAt
        tried = message.tried
        self.reason = reason
    }
}

extension Store {
    /// Returns the latest messages that no gateway accepted, up to about a thousand of each project, oldest first.
    /// - Throws: ``StoreUnavailable``.
    func deadLetters() throws(StoreUnavailable) -> [DeadLetter] {
        try items(of: .messages) { KeyNames.deadLetters(of: $0) }.compactMap(DeadLetter.init)
            .sorted { $0.queuedAt < $1.queuedAt }
    }

    /// Moves a dead letter back to the outbox, for all gateways, while its session is open.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func requeue(_ letter: DeadLetter, now: Int64) throws(StoreUnavailable) -> RequeuedMessage {
        let call = ScriptCall(
            .requeueMessage,
            keys: [
                "deadLettersKey": KeyNames.deadLetters(of: letter.project),
                "outboxKey": KeyNames.outbox(.messages, of: letter.project),
                "recordKey": KeyNames.message(letter.message),
                "sessionKey": KeyNames.verification(letter.session),
            ],
            ["id": .text(letter.entryID), "now": .integer(now)]
        )
        let reply = try run(call)
        guard let outcome = RequeuedMessage(rawValue: try reply.text()) else { throw .unexpectedReply }
        return outcome
    }

    /// Removes a dead letter.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func drop(_ letter: DeadLetter) throws(StoreUnavailable) {
        _ = try send("XDEL", KeyNames.deadLetters(of: letter.project), letter.entryID)
    }
}

/// The result of an attempt to send an undeliverable message again.
public enum RequeuedMessage: String, Sendable {
    /// The message is queued.
    case requeued
    /// The message is no longer in the list of undeliverable ones.
    case unknown
    /// The user no longer waits for the message: its code was used, or its code or link has expired.
    case over
}

public import Encodings
public import PhoneNumbers
public import RedisScripts

/// A message or e-mail that waits, is being sent, or that no gateway accepted (dead letter), for operators.
public struct ListedMessage: Sendable {
    /// The message's id.
    public let id: QueuedMessageID
    /// The recipient of a message; nil if no data key opens the number.
    public let phone: E164?
    /// The recipient of an e-mail; nil if no data key opens the address.
    public let email: EmailAddress?
    /// When the user requested the code or the link.
    public let queuedAt: Instant
    /// The gateways that were tried.
    public let tried: [String]
    /// Why the dispatcher gave up; nil while the message is in its outbox.
    public let reason: String?
    /// How the message waits for its next attempt; nil if it is being sent, or no dispatcher has taken it.
    public let waiting: WaitingMessage?
    let item: OutboxItem

    /// The project's id.
    public var project: String { item.project }

    fileprivate init?(_ item: OutboxItem, _ waiting: WaitingMessage?, _ authenticator: Authenticator) {
        let fields = PackedFields(item.fields, packed: ["content": MessageContent.lineNames])
        guard let queuedAt = fields.integer("queued") else { return nil }
        id = fields.text("message").map { QueuedMessageID(project: item.project, entryID: $0) } ?? item.id
        phone = PendingMessage(item, authenticator)?.phone
        email = PendingMail(item, authenticator)?.recipient
        self.queuedAt = Instant(milliseconds: queuedAt)
        tried = (fields.text("tried") ?? "").split(separator: ",").map(String.init)
        reason = fields.text("reason")
        self.waiting = waiting
        self.item = item
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

extension Authenticator {
    /// Returns how many items of an outbox wait or are being sent, in all projects, and the age of the oldest.
    /// - Throws: ``StoreUnavailable``.
    public func backlog(of outbox: Outbox) throws(StoreUnavailable) -> OutboxBacklog { try store.backlog(of: outbox) }

    /// Returns a project's messages or e-mails that wait or are being sent, `limit` at most, oldest first; and how many
    /// there are. If more than `limit` wait for their next attempt, those are listed that are due first.
    /// - Throws: ``StoreUnavailable``.
    public func queuedMessages(
        in outbox: Outbox,
        of project: String,
        atMost limit: Int
    ) throws(StoreUnavailable) -> (listed: [ListedMessage], count: Int) {
        let (items, count) = try store.queuedItems(of: outbox, project, atMost: limit)
        let listed = items.compactMap { ListedMessage($0.item, $0.waiting, self) }
        return (listed.sorted { $0.queuedAt < $1.queuedAt }, count)
    }

    /// Returns a project's messages or e-mails that no gateway accepted, oldest first.
    /// - Throws: ``StoreUnavailable``.
    public func undeliverableMessages(
        in outbox: Outbox,
        of project: String
    ) throws(StoreUnavailable) -> [ListedMessage] {
        try store.undeliverableItems(of: outbox, project).compactMap { ListedMessage($0, nil, self) }
            .sorted { $0.queuedAt < $1.queuedAt }
    }
}

extension OperationContext {
    /// Queues undeliverable messages and e-mails again, all or the one with this id, for all gateways.
    /// - Throws: ``StoreUnavailable``.
    public func requeueUndeliverable(_ id: String?) throws(StoreUnavailable) -> [RequeuedMessage] {
        try recordChange("outbox retry \(id ?? "--all")")
        var outcomes: [RequeuedMessage] = []
        for message in try undeliverable(id) { outcomes.append(try store.requeue(message, now: now.milliseconds)) }
        return outcomes
    }

    /// Removes undeliverable messages and e-mails from the list, all or the one with this id.
    /// - Returns: how many were removed.
    /// - Throws: ``StoreUnavailable``.
    public func dropUndeliverable(_ id: String?) throws(StoreUnavailable) -> Int {
        try recordChange("outbox drop \(id ?? "--all")")
        let messages = try undeliverable(id)
        for message in messages { try store.drop(message.item) }
        return messages.count
    }

    private func undeliverable(_ id: String?) throws(StoreUnavailable) -> [ListedMessage] {
        let messages = try authenticator.undeliverableMessages(in: .messages, of: project.id)
        return try (messages + authenticator.undeliverableMessages(in: .mails, of: project.id))
            .filter { id == nil || id == $0.id.text }
    }

    /// Returns the counts of a project's messages or e-mails in the last `days` days, including today.
    /// - Throws: ``StoreUnavailable``.
    public func messageCounts(_ outbox: Outbox, days: Int) throws(StoreUnavailable) -> [MessageCount] {
        try store.messageCounts(outbox, of: project.id, days: days, now: now.milliseconds)
    }
}

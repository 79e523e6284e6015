internal import Redis

/// The outcome of sending a message.
public enum MessageFate: Sendable {
    /// A gateway accepted the message. If a receipt is expected, `receiptDue` is its deadline; milliseconds since the
    /// Unix epoch.
    case accepted(gateway: String, receiptDue: Int64?)
    /// The session has ended, so the message is no longer needed.
    case ended
    /// No gateway accepts the message, for this reason.
    case dead(reason: String)
}

extension Store {
    private static let maximumDeadLetters: Int64 = 1000

    /// Returns whether the session of a message is still open.
    /// - Throws: ``StoreUnavailable``.
    public func isOpen(_ session: SessionID, at now: Int64) throws(StoreUnavailable) -> Bool {
        let fields = try send("HMGET", KeyNames.session(session), "state", "expires").optionalTexts()
        guard fields.count == 2, fields[0] == "open", let expires = fields[1].flatMap({ Int64($0) }) else {
            return false
        }
        return now < expires
    }

    /// Removes a message from the outbox and records its outcome, in one atomic step.
    ///
    /// - Parameters:
    ///   - message: the message from the outbox.
    ///   - fate: its outcome.
    ///   - tried: all gateways that had the message, including those of earlier tries.
    ///   - entry: its entry in the ledger.
    ///   - now: milliseconds since the Unix epoch.
    ///   - recordMilliseconds: how long its record is kept.
    /// - Returns: false if another dispatcher has already done so.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func finish(
        _ message: QueuedMessage,
        _ fate: MessageFate,
        tried: [String],
        entry: LedgerEntry,
        now: Int64,
        recordMilliseconds: Int64
    ) throws(StoreUnavailable) -> Bool {
        var known: [(name: String, value: Argument)] = [
            ("session", .text(message.session.text)), ("phone", .bytes(message.sealedNumber)),
            ("project", .text(message.project)), ("purpose", .text(message.purpose)), ("locale", .text(message.locale)),
            ("ending", .text(message.ending)),
            ("queued", .integer(message.queuedAt)), ("expires", .integer(message.expiresAt)),
            ("tried", .text(tried.joined(separator: ","))),
        ]
        let outcome: String
        var due = ""
        var taker = ""
        switch fate {
        case .accepted(let gateway, let receiptDue):
            outcome = "accepted"
            taker = gateway
            known.append(("gateway", .text(gateway)))
            due = receiptDue.map(String.init) ?? ""
        case .ended:
            outcome = "ended"
        case .dead(let reason):
            outcome = "dead"
            known.append(("reason", .text(reason)))
        }
        let reply = try run(
            Scripts.finishMessage,
            keys: [
                KeyNames.outbox(.messages, message.item.shard), KeyNames.message(message.id),
                KeyNames.dueReceipts(message.item.shard), KeyNames.deadLetters(message.item.shard),
                KeyNames.session(message.session),
            ] + entry.ranges.keys + [
                KeyNames.spending(day: message.queuedAt / Self.dayMilliseconds),
                KeyNames.ledger(message.project, day: now / Self.dayMilliseconds),
                KeyNames.seriesNames(message.project),
            ],
            [
                .text(message.item.entryID), .text(Self.dispatchers), .text(outcome), .integer(now),
                .integer(recordMilliseconds), .text(due), .integer(Self.maximumDeadLetters),
                .text(taker), .integer(entry.price), .integer(message.reserved), .integer(message.isCounted ? 1 : 0),
                .integer(entry.rangeHalfLifeMilliseconds), .text(entry.ranges.region), .text(entry.ranges.series),
                .bytes(entry.sealedSeries), .integer(entry.ledgerMilliseconds),
            ] + known.flatMap { [.text($0.name), $0.value] }
        )
        return try reply.integer() == 1
    }

    /// Returns the messages that wait or are being sent, oldest first.
    /// - Throws: ``StoreUnavailable``.
    public func queuedMessages() throws(StoreUnavailable) -> [QueuedMessage] {
        var messages: [QueuedMessage] = []
        let streams = try pipeline("XRANGE", shards.shards.map { [KeyNames.outbox(.messages, $0), "-", "+"] })
        for (shard, stream) in zip(shards.shards, streams) {
            messages += try Self.items(stream, .messages, shard).compactMap(QueuedMessage.init)
        }
        return messages.sorted { ($0.queuedAt, $0.id.text) < ($1.queuedAt, $1.id.text) }
    }
}

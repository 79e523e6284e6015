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
            .finishMessage,
            keys: [
                "outboxKey": KeyNames.outbox(.messages, message.item.shard),
                "recordKey": KeyNames.message(message.id),
                "dueKey": KeyNames.dueReceipts(message.item.shard),
                "deadLettersKey": KeyNames.deadLetters(message.item.shard),
                "sessionKey": KeyNames.session(message.session),
                "regionKey": entry.ranges.regionKey,
                "seriesKey": entry.ranges.seriesKey,
                "blockKey": entry.ranges.blockKey,
                "spendingKey": KeyNames.spending(day: message.queuedAt / Self.dayMilliseconds),
                "ledgerKey": KeyNames.ledger(message.project, day: now / Self.dayMilliseconds),
                "seriesNamesKey": KeyNames.seriesNames(message.project),
            ],
            NamedValues(
                [
                    "id": .text(message.item.entryID),
                    "group": .text(Self.dispatchers),
                    "outcome": .text(outcome),
                    "now": .integer(now),
                    "recordLife": .integer(recordMilliseconds),
                    "due": .text(due),
                    "maximumDeadLetters": .integer(Self.maximumDeadLetters),
                    "gateway": .text(taker),
                    "price": .integer(entry.price),
                    "reserved": .integer(message.reserved),
                    "isCounted": .flag(message.isCounted),
                    "rangeHalfLife": .integer(entry.rangeHalfLifeMilliseconds),
                    "region": .text(entry.ranges.region),
                    "series": .text(entry.ranges.series),
                    "sealedSeries": .bytes(entry.sealedSeries),
                    "ledgerLife": .integer(entry.ledgerMilliseconds),
                ],
                list: "fields",
                known.flatMap { [.text($0.name), $0.value] }
            )
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

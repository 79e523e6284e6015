internal import Redis

/// How the sending of a message ended.
public enum MessageFate: Sendable {
    /// A gateway took it. Where a receipt is expected, `receiptDue` says by when; milliseconds since the Unix epoch.
    case accepted(gateway: String, receiptDue: Int64?)
    /// Its session has ended, so nobody waits for it.
    case ended
    /// No gateway takes it, for this reason.
    case dead(reason: String)
}

extension Store {
    private static let maximumDeadLetters: Int64 = 1000

    /// Whether the session of a message still waits for its code.
    /// - Throws: ``StoreUnavailable``.
    public func isOpen(_ session: SessionID, at now: Int64) throws(StoreUnavailable) -> Bool {
        let fields = try send("HMGET", KeyNames.session(session), "state", "expires").optionalTexts()
        guard fields.count == 2, fields[0] == "open", let expires = fields[1].flatMap({ Int64($0) }) else {
            return false
        }
        return now < expires
    }

    /// Takes a message off the outbox and records what became of it, in one atomic step.
    ///
    /// - Parameters:
    ///   - message: what was taken from the outbox.
    ///   - fate: what became of it.
    ///   - tried: the gateways that had it, its earlier ones among them.
    ///   - entry: what the ledger says of it.
    ///   - now: milliseconds since the Unix epoch.
    ///   - recordMilliseconds: how long its record is kept.
    /// - Returns: false where another dispatcher has done so before.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
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

    /// The messages that wait or are being sent, oldest first.
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

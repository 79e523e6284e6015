internal import Redis

/// The outcome of sending a message.
public enum MessageFate: Sendable {
    /// A gateway accepted the message under its own id, if it has one. If a receipt is expected, `receiptDue` is its
    /// deadline; milliseconds since the Unix epoch.
    case accepted(gateway: String, gatewayID: String? = nil, receiptDue: Int64?)
    /// The session has ended, so the message is no longer needed.
    case ended
    /// No gateway accepted the message, for this reason.
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

    /// Counts what a message costs, then removes it from the outbox and records its outcome in one atomic step.
    ///
    /// The caller must ``correct(_:)`` the counts of ranges and spending afterwards. A dispatcher that dies before that
    /// leaves them too high, and so does a retry of a call whose outcome is unknown.
    /// - Parameters:
    ///   - message: the message from the outbox.
    ///   - fate: its outcome.
    ///   - tried: all gateways that had the message, including those of earlier attempts.
    ///   - entry: its entry in the ledger.
    ///   - now: milliseconds since the Unix epoch.
    ///   - recordMilliseconds: how long its record is kept.
    /// - Returns: whether this call removed the message (false if another dispatcher had removed it), and the
    ///   correction.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func finish(
        _ message: QueuedMessage,
        _ fate: MessageFate,
        tried: [String],
        entry: LedgerEntry,
        now: Int64,
        recordMilliseconds: Int64
    ) throws(StoreUnavailable) -> (isFirst: Bool, correction: CountCorrection) {
        var known: [(name: String, value: Argument)] = [
            ("session", .text(message.session.text)), ("phone", .bytes(message.sealedNumber)),
            ("project", .text(message.project)), ("purpose", .text(message.purpose)), ("locale", .text(message.locale)),
            ("ending", .text(message.ending)),
            ("queued", .integer(message.queuedAt)), ("expires", .integer(message.expiresAt)),
            ("tried", .text(tried.joined(separator: ","))), ("counted", .flag(message.isCounted)),
        ]
        let outcome: String
        var due = ""
        var taker = ""
        switch fate {
        case .accepted(let gateway, let gatewayID, let receiptDue):
            outcome = "accepted"
            taker = gateway
            known.append(("gateway", .text(gateway)))
            if let gatewayID { known.append(("gateway-id", .text(gatewayID))) }
            due = receiptDue.map(String.init) ?? ""
        case .ended:
            outcome = "ended"
        case .dead(let reason):
            outcome = "dead"
            known.append(("reason", .text(reason)))
        }
        let isSent = outcome == "accepted"
        let acceptance: (counting: [ScriptCall], taking: [ScriptCall]) =
            isSent ? entry.callsOfAcceptance(of: message, by: taker, now: now, self) : ([], [])
        _ = try run(acceptance.counting)
        let reply = try run(
            .finishMessage,
            keys: [
                "outboxKey": KeyNames.outbox(.messages, message.item.shard),
                "recordKey": KeyNames.message(message.id),
                "dueKey": KeyNames.dueReceipts(message.item.shard),
                "deadLettersKey": KeyNames.deadLetters(message.item.shard),
                "sessionKey": KeyNames.session(message.session),
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
                    "again": .text(message.isSentAgain ? (message.isCounted ? "1" : "0") : ""),
                ],
                list: "fields",
                known.flatMap { [.text($0.name), $0.value] }
            )
        )
        let removal = try reply.integer()
        guard removal > 0 else { return (false, CountCorrection(calls: acceptance.taking)) }
        // A message that was not sent cannot be SMS pumping (toll fraud), nor can one to a user who entered the code.
        let isTakenBack =
            isSent ? removal == 3 : message.isCounted && !message.isSentAgain && removal != 2
        let unused = correctingCalls(
            entry.ranges,
            sent: isTakenBack ? -1 : 0,
            price: min(0, (isSent ? entry.price : 0) - message.reserved),
            queuedAt: message.queuedAt,
            now: now,
            halfLifeMilliseconds: entry.rangeHalfLifeMilliseconds
        )
        return (true, CountCorrection(calls: unused))
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

internal import Redis
internal import RedisScripts

/// The outcome of sending a message.
enum MessageFate: Sendable {
    /// A gateway accepted the message under its own id, if it has one. If a receipt is expected, `receiptDue` is its
    /// deadline; milliseconds since the Unix epoch.
    case accepted(gateway: String, MessageChannel, gatewayID: String? = nil, receiptDue: Int64?)
    /// The session has ended, so the message is no longer needed.
    case ended
    /// No gateway accepted the message, for this reason.
    case dead(reason: String)
}

extension Store {
    private static let maximumDeadLetters: Int64 = 1000

    /// Returns whether the session of a message is still open.
    /// - Throws: ``StoreUnavailable``.
    func isOpen(_ session: VerificationID, at now: Int64) throws(StoreUnavailable) -> Bool {
        let stored = try send("GET", KeyNames.verification(session)).bytes.flatMap { StoredVerification(stored: $0) }
        return stored.map { now < $0.expiresAt } ?? false
    }

    /// Removes a message from the outbox, records its outcome and counts what it costs, in one atomic step.
    ///
    /// - Parameters:
    ///   - message: the message from the outbox.
    ///   - fate: its outcome.
    ///   - tried: all gateways that had the message, including those of earlier attempts.
    ///   - entry: its entry in the ledger.
    ///   - now: milliseconds since the Unix epoch.
    ///   - recordMilliseconds: how long its record is kept.
    /// - Returns: whether this call removed the message: false if another dispatcher had removed it.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func finish(
        _ message: QueuedMessage,
        _ fate: MessageFate,
        tried: [String],
        entry: LedgerEntry,
        now: Int64,
        recordMilliseconds: Int64
    ) throws(StoreUnavailable) -> Bool {
        let (outcome, taker, due, ending) = fate.stored
        var known: [(name: String, value: Argument)] = [
            ("session", .text(message.session.text)), ("phone", .bytes(message.sealedNumber)),
            ("purpose", .text(message.purpose)), ("locale", .text(message.locale)),
            ("ending", .text(message.ending)),
            ("queued", .integer(message.queuedAt)), ("expires", .integer(message.expiresAt)),
            ("tried", .text(tried.joined(separator: ","))), ("counted", .flag(message.isCounted)),
        ]
        if message.route != .ofSettings { known.append(("route", .text(message.route.stored))) }
        let (project, ranges) = (message.item.project, entry.ranges)
        let call = ScriptCall(
            .finishMessage,
            keys: [
                "outboxKey": KeyNames.outbox(.messages, of: project),
                "recordKey": KeyNames.record(of: message.id, .messages),
                "dueKey": KeyNames.dueReceipts(of: project),
                "deadLettersKey": KeyNames.undeliverable(.messages, of: project),
                "sessionKey": KeyNames.verification(message.session),
                "regionKey": KeyNames.region(ranges),
                "seriesKey": KeyNames.series(ranges),
                "blockKey": KeyNames.block(ranges),
                "spendingKey": KeyNames.spending(of: project, day: message.queuedAt / Self.dayMilliseconds),
                "ledgerKey": KeyNames.ledger(of: project, day: now / Self.dayMilliseconds, series: ranges.series),
                "seriesNamesKey": KeyNames.seriesNames(of: project),
                "gatewayCountsKey": KeyNames.gatewayCounts(project),
            ],
            NamedValues(
                [
                    "id": .text(message.item.entryID),
                    "group": .text(Self.dispatchers),
                    "outcome": .text(outcome),
                    "now": .integer(now),
                    "recordLife": .integer(recordMilliseconds),
                    "due": .optional(due),
                    "maximumDeadLetters": .integer(Self.maximumDeadLetters),
                    "gateway": .text(taker),
                    "flags": .flags([message.isCounted, message.isSentAgain, entry.explores]),
                    "region": .text(ranges.region),
                    "series": .text(ranges.series),
                    "place": .text(ranges.place(of: taker)),
                    "price": .integer(entry.price),
                    "unpaid": .integer((taker.isEmpty ? 0 : entry.price) - message.countedPrice),
                    "sealedSeries": .bytes(entry.sealedSeries),
                    "halfLife": .integer(entry.rangeHalfLifeMilliseconds),
                    "ledgerLife": .integer(entry.ledgerMilliseconds),
                ],
                list: "fields",
                (known + ending).flatMap { [.text($0.name), $0.value] }
            )
        )
        return try run(call).integer() == 1
    }

    /// Returns a project's messages that wait or are being sent, oldest first.
    /// - Throws: ``StoreUnavailable``.
    func queuedMessages(of project: String) throws(StoreUnavailable) -> [QueuedMessage] {
        try items(of: .messages, project, in: KeyNames.outbox(.messages, of: project)).compactMap(QueuedMessage.init)
            .sorted { ($0.queuedAt, $0.id.text) < ($1.queuedAt, $1.id.text) }
    }
}

extension MessageFate {
    /// The script's word, the gateway that took the message or "", when its receipt is due, and fields of its record.
    fileprivate var stored: (outcome: String, taker: String, due: Int64?, fields: [(name: String, value: Argument)]) {
        switch self {
        case .accepted(let gateway, let channel, let id, let due):
            (
                "accepted", gateway, due,
                [("gateway", .text(gateway))] + (id.map { [("gateway-id", .text($0))] } ?? [])
                    + (channel == .sms ? [] : [("channel", .text(channel.rawValue))])
            )
        case .ended: ("ended", "", nil, [])
        case .dead(let reason): ("dead", "", nil, [("reason", .text(reason))])
        }
    }
}

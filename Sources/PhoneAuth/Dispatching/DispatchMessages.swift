internal import Encodings
public import PhoneNumbers
public import RedisStore

/// How the sending of a message ended.
public enum MessageResult: Sendable, Equatable {
    /// A gateway took it. Where it reports deliveries, its receipt is due after `receiptWithin`.
    case accepted(gateway: String, receiptWithin: Duration?)
    /// Its session has ended: the code was used, or would be of no use.
    case ended
    /// No gateway takes it; the reason is for operators.
    case dead(reason: String)
}

/// A message that no gateway took, as operators may see it.
public struct UndeliverableMessage: Sendable {
    /// The project's id.
    public let project: String
    /// Whom it was for; nil where this deployment's keys do not tell.
    public let phone: E164?
    /// When the user asked for it.
    public let queuedAt: Instant
    /// The gateways that had it.
    public let tried: [String]
    /// Why it was given up.
    public let reason: String
}

extension Authenticator {
    /// Whether anybody still waits for a message's code.
    /// - Throws: ``StoreUnavailable``.
    public func isWaitedFor(_ message: PendingMessage) throws(StoreUnavailable) -> Bool {
        try store.isOpen(message.queued.session, at: environment.now().milliseconds)
    }

    /// Records what came of a message, counts it and takes it off the outbox.
    ///
    /// - Parameters:
    ///   - message: what was taken from the outbox.
    ///   - result: what came of it.
    ///   - refused: the gateways that would not have it this time.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless but for the count.
    public func finish(
        _ message: PendingMessage,
        _ result: MessageResult,
        passedOnBy refused: [String]
    ) throws(StoreUnavailable) {
        let now = environment.now()
        var tried = message.tried + refused
        let (fate, event, gateway): (MessageFate, MessageEvent, String?) =
            switch result {
            case .accepted(let gateway, let time):
                (.accepted(gateway: gateway, receiptDue: time.map { (now + $0).milliseconds }), .accepted, gateway)
            case .ended: (.ended, .ended, nil)
            case .dead(let reason): (.dead(reason: reason), .dead, nil)
            }
        if let gateway { tried.append(gateway) }
        let isFirst = try store.finish(
            message.queued,
            fate,
            tried: tried,
            entry: ledgerEntry(of: message, takenBy: gateway),
            now: now.milliseconds,
            recordMilliseconds: Policy.messageMemory.milliseconds
        )
        guard isFirst else { return }
        for gateway in refused { store.count(.passedOn, of: message.project, gateway: gateway, now: now.milliseconds) }
        store.count(event, of: message.project, gateway: gateway, now: now.milliseconds)
    }

    /// Acts on what a gateway says of the message that it knows by `id`.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func followUp(_ id: String, _ finding: DeliveryFinding) throws(StoreUnavailable) -> FollowUp {
        guard let id = QueuedMessageID(id, among: store.shards) else { return .unknown }
        return try followUp(id, finding)
    }

    /// Acts on what a gateway says of a message's delivery: one that was not delivered goes to the next gateway, with the same
    /// code, while its session lives.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func followUp(_ id: QueuedMessageID, _ finding: DeliveryFinding) throws(StoreUnavailable) -> FollowUp {
        let now = environment.now().milliseconds
        let followUp = try store.followUp(id, finding, now: now)
        if case .news(_, let project, let gateway) = followUp {
            let event: MessageEvent =
                switch finding {
                case .delivered: .delivered
                case .undelivered: .undelivered
                case .unconfirmed: .unconfirmed
                }
            store.count(event, of: project, gateway: gateway, now: now)
        }
        return followUp
    }

    /// Sends on what a gateway has accepted but not confirmed in time.
    /// - Returns: how many messages were queued again.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func followUpMissingReceipts() throws(StoreUnavailable) -> Int {
        var requeued = 0
        for id in try store.messagesWithoutReceipt(by: environment.now().milliseconds, atMost: 100) {
            if case .news(.requeued, _, _) = try followUp(id, .unconfirmed) { requeued += 1 }
        }
        return requeued
    }

    /// The messages that no gateway took, oldest first.
    /// - Throws: ``StoreUnavailable``.
    public func undeliverableMessages() throws(StoreUnavailable) -> [UndeliverableMessage] {
        try store.deadLetters().map { letter in
            let ticket = Purpose(rawValue: letter.purpose).flatMap { purpose in
                SessionTicket(
                    id: letter.session,
                    purpose: purpose,
                    codeSource: .derived,
                    sealedNumber: letter.sealedNumber,
                    in: letter.project,
                    keys
                )
            }
            return UndeliverableMessage(
                project: letter.project,
                phone: ticket.flatMap { try? phoneNumbers.parse($0.phoneNumber) },
                queuedAt: Instant(milliseconds: letter.queuedAt),
                tried: letter.tried,
                reason: letter.reason
            )
        }
    }

    /// The messages that wait or are being sent, oldest first.
    /// - Throws: ``StoreUnavailable``.
    public func pendingMessages() throws(StoreUnavailable) -> [PendingMessage] {
        try store.queuedMessages().compactMap { PendingMessage($0, self) }
    }

    /// What was counted of a project's messages in the last `days` days, today's among them.
    /// - Throws: ``StoreUnavailable``.
    public func messageCounts(of project: Project, days: Int) throws(StoreUnavailable) -> [MessageCount] {
        try store.messageCounts(of: project.id, days: days, now: environment.now().milliseconds)
    }
}

internal import Encodings
internal import Metrics
internal import PhoneNumbers
public import RedisScripts

/// The outcome of sending a message.
public enum MessageResult: Sendable, Equatable {
    /// A gateway accepted the message of this many SMS segments under its own id, if it has one. Its delivery receipt
    /// is due after `receiptWithin`; nil if the gateway reports no deliveries.
    case accepted(gateway: String, gatewayID: String? = nil, receiptWithin: Duration?, segments: Int = 1)
    /// The session has ended: the code was used, or can no longer be used.
    case ended
    /// No gateway accepted the message; the reason is for operators.
    case dead(reason: String)
}

extension Authenticator {
    /// Returns whether a message's session is still open.
    /// - Throws: ``StoreUnavailable``.
    public func isWaitedFor(_ message: PendingMessage) throws(StoreUnavailable) -> Bool {
        try store.isOpen(message.queued.session, at: environment.now().milliseconds)
    }

    /// Records the outcome of a message, counts it and removes the message from the outbox.
    ///
    /// - Parameters:
    ///   - message: the message from the outbox.
    ///   - result: the outcome.
    ///   - refused: the gateways that rejected it this time.
    /// - Throws: ``StoreUnavailable``; idempotent except for the count.
    public func finish(
        _ message: PendingMessage,
        _ result: MessageResult,
        refusedBy refused: [String]
    ) throws(StoreUnavailable) {
        let now = environment.now()
        var tried = message.tried + refused
        let (fate, event, gateway, price): (MessageFate, MessageEvent, String?, Money) =
            switch result {
            case .accepted(let gateway, let id, let time, let segments):
                accepted(message, by: gateway, id, receiptDue: time.map { (now + $0).milliseconds }, segments)
            case .ended: (.ended, .ended, nil, .zero)
            case .dead(let reason): (.dead(reason: reason), .dead, nil, .zero)
            }
        if let gateway { tried.append(gateway) }
        let isFirst = try store.finish(
            message.queued,
            fate,
            tried: tried,
            entry: ledgerEntry(of: message, price: price),
            now: now.milliseconds,
            recordMilliseconds: PendingMessage.outcomeMemory.milliseconds
        )
        guard isFirst else { return }
        for gateway in refused { count(.passedOn, of: message.project, gateway: gateway, now: now.milliseconds) }
        count(event, of: message.project, gateway: gateway, now: now.milliseconds)
        if let gateway { countAccepted(message, by: gateway, price) }
    }

    private func accepted(
        _ message: PendingMessage,
        by gateway: String,
        _ id: String?,
        receiptDue: Int64?,
        _ segments: Int
    ) -> (MessageFate, MessageEvent, String?, Money) {
        let channel = policy.routing.channel(of: gateway) ?? .sms
        let price = policy.tollFraud.prices.price(of: gateway, for: message.phone)
        return (
            .accepted(gateway: gateway, channel, gatewayID: id, receiptDue: receiptDue),
            .accepted, gateway, channel == .sms ? price * segments : price
        )
    }

    /// Counts an event for `dialtone outbox`, and in the metrics.
    private func count(_ event: MessageEvent, of project: String, gateway: String?, now: Int64) {
        store.count(event, in: .messages, of: project, gateway: gateway, now: now)
        MetricFamily.messages.count(project, event.rawValue, gateway ?? "none")
    }

    private func countAccepted(_ message: PendingMessage, by gateway: String, _ price: Money) {
        let region = message.phone.effectiveRegion.description
        MetricFamily.messagesAccepted.count(region, gateway)
        MetricFamily.messageCost.count(region, gateway, by: UInt64(max(0, price.micros)))
    }

    /// Processes a gateway's delivery report for the message with this `id`.
    /// - Throws: ``StoreUnavailable``; idempotent.
    public func followUp(
        _ id: String,
        isDelivered: Bool,
        reportedBy gateway: String
    ) throws(StoreUnavailable) -> FollowUp {
        guard let id = QueuedMessageID(id, among: store.projects) else { return .unknown }
        return try followUp(id, isDelivered ? .delivered(gateway: gateway) : .undelivered(gateway: gateway))
    }

    /// Processes a gateway's delivery report. An undelivered message goes to the next gateway, with the same code,
    /// while its session is open.
    /// - Throws: ``StoreUnavailable``; idempotent.
    func followUp(_ id: QueuedMessageID, _ finding: DeliveryFinding) throws(StoreUnavailable) -> FollowUp {
        let now = environment.now().milliseconds
        let followUp = try store.followUp(id, finding, now: now)
        if case .news(_, let project, let gateway) = followUp {
            let event: MessageEvent =
                switch finding {
                case .delivered: .delivered
                case .undelivered: .undelivered
                case .unconfirmed: .unconfirmed
                }
            count(event, of: project, gateway: gateway, now: now)
        }
        return followUp
    }

    /// Requeues messages whose delivery receipt is overdue.
    /// - Returns: how many messages were requeued.
    /// - Throws: ``StoreUnavailable``; idempotent.
    public func followUpMissingReceipts() throws(StoreUnavailable) -> Int {
        var requeued = 0
        for id in try store.messagesWithoutReceipt(by: environment.now().milliseconds, atMost: 100) {
            if case .news(.requeued, _, _) = try followUp(id, .unconfirmed) { requeued += 1 }
        }
        return requeued
    }

    /// Returns the number of running dispatchers, on all machines.
    /// - Throws: ``StoreUnavailable``.
    public func runningDispatchers() throws(StoreUnavailable) -> Int {
        var names: Set<String> = []
        for outbox in Outbox.allCases { names.formUnion(try store.runningDispatchers(of: outbox)) }
        return names.count
    }
}

extension FollowUp: CustomStringConvertible {
    /// The effect, for operators.
    public var description: String {
        switch self {
        case .unknown: "no such message"
        case .repeated: "already reported"
        case .news(let consequence, _, _): consequence.rawValue
        }
    }
}

internal import Redis

/// What is known of the delivery of a message that a gateway has accepted.
public enum DeliveryFinding: Sendable, Equatable {
    /// The gateway says that it was delivered.
    case delivered(gateway: String)
    /// The gateway says that it was not.
    case undelivered(gateway: String)
    /// The gateway has not said anything in time.
    case unconfirmed
}

/// What a finding led to.
public enum FollowUp: Sendable, Equatable {
    /// There is no such message, or another gateway had it.
    case unknown
    /// It was known before.
    case repeated
    /// It is news of a project's message that a gateway had, and led to this.
    case news(Consequence, project: String, gateway: String)

    /// What became of the message.
    public enum Consequence: String, Sendable {
        /// It was delivered.
        case delivered
        /// It is queued again, for the next gateway.
        case requeued
        /// Nobody waits for it any more, or it was queued again before.
        case over
    }
}

extension Store {
    /// Acts on what is known of a message's delivery, in one atomic step.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func followUp(
        _ id: QueuedMessageID,
        _ finding: DeliveryFinding,
        now: Int64
    ) throws(StoreUnavailable) -> FollowUp {
        let (name, gateway): (String, String) =
            switch finding {
            case .delivered(let gateway): ("delivered", gateway)
            case .undelivered(let gateway): ("undelivered", gateway)
            case .unconfirmed: ("unconfirmed", "")
            }
        let reply = try run(
            Scripts.followUpMessage,
            keys: [
                KeyNames.message(id), KeyNames.dueReceipts(id.shard), KeyNames.outbox(.messages, id.shard),
                KeyNames.sessionPrefix(id.shard),
            ],
            [.text(id.entryID), .integer(now), .text(name), .text(gateway)]
        )
        switch try reply.outcome() {
        case "unknown": return .unknown
        case "repeated": return .repeated
        case let outcome:
            guard let consequence = FollowUp.Consequence(rawValue: outcome) else { throw .unexpectedReply }
            return .news(consequence, project: try reply.text(at: 1), gateway: try reply.text(at: 2))
        }
    }

    /// Messages whose receipts were due by `now`, at most `count` of each shard.
    /// - Throws: ``StoreUnavailable``.
    public func messagesWithoutReceipt(by now: Int64, atMost count: Int) throws(StoreUnavailable) -> [QueuedMessageID] {
        let queries = shards.shards.map {
            [KeyNames.dueReceipts($0), "-inf", String(now), "BYSCORE", "LIMIT", "0", String(count)]
        }
        var ids: [QueuedMessageID] = []
        for (shard, reply) in zip(shards.shards, try pipeline("ZRANGE", queries)) {
            ids += try reply.texts().map { QueuedMessageID(shard: shard, entryID: $0) }
        }
        return ids
    }
}

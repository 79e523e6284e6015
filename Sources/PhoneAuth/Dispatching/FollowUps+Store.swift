internal import Redis
internal import RedisScripts

/// The delivery status of a message that a gateway has accepted.
enum DeliveryFinding: Sendable, Equatable {
    /// The gateway reported that the message was delivered.
    case delivered(gateway: String)
    /// The gateway reported that the message was not delivered.
    case undelivered(gateway: String)
    /// The gateway has not reported in time.
    case unconfirmed
}

/// The effect of a finding.
public enum FollowUp: Sendable, Equatable {
    /// The message does not exist, or was at another gateway.
    case unknown
    /// The finding was already known.
    case repeated
    /// The finding is new for a project's message at a gateway, and had this consequence.
    case news(Consequence, project: String, gateway: String)

    /// The consequence for the message.
    public enum Consequence: String, Sendable {
        /// The message was delivered.
        case delivered
        /// The message is queued again, for the next gateway.
        case requeued
        /// The message is no longer needed, or has already been queued again.
        case over
    }
}

extension Store {
    /// Acts on the delivery status of a message, in one atomic step.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func followUp(
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
        let call = ScriptCall(
            .followUpMessage,
            keys: [
                "recordKey": KeyNames.record(of: id, .messages),
                "dueKey": KeyNames.dueReceipts(of: id.project),
                "outboxKey": KeyNames.outbox(.messages, of: id.project),
                "sessionPrefix": KeyNames.verificationPrefix(id.project),
            ],
            ["id": .text(id.entryID), "now": .integer(now), "finding": .text(name), "gateway": .text(gateway)]
        )
        let reply = try run(call)
        switch try reply.outcome() {
        case "unknown": return .unknown
        case "repeated": return .repeated
        case let outcome:
            guard let consequence = FollowUp.Consequence(rawValue: outcome) else { throw .unexpectedReply }
            return .news(consequence, project: id.project, gateway: try reply.text(at: 1))
        }
    }

    /// Returns messages whose receipts were due by `now`, at most `count` of each project.
    /// - Throws: ``StoreUnavailable``.
    func messagesWithoutReceipt(by now: Int64, atMost count: Int) throws(StoreUnavailable) -> [QueuedMessageID] {
        let overdue = try sendAll(
            "ZRANGE",
            projects.map {
                [KeyNames.dueReceipts(of: $0), "-inf", String(now), "BYSCORE", "LIMIT", "0", String(count)]
            }
        )
        var ids: [QueuedMessageID] = []
        for (project, reply) in zip(projects, overdue) {
            ids += try reply.texts().map { QueuedMessageID(project: project, entryID: $0) }
        }
        return ids
    }
}

internal import RedisScripts

extension KeyNames {
    /// Stream of a project's items to send.
    static func outbox(_ outbox: Outbox, of project: String) -> String { ofProject(project, outbox.rawValue) }

    /// Sorted set: items of an outbox that wait for their next attempt, by the time when they are due.
    static func waiting(_ outbox: Outbox, of project: String) -> String {
        ofProject(project, outbox.rawValue, "waiting")
    }

    /// The record of a message's or an e-mail's outcome.
    static func record(of id: QueuedMessageID, _ outbox: Outbox) -> String {
        ofProject(id.project, outbox == .mails ? "mail" : "message", id.entryID)
    }

    /// Stream of messages or e-mails that no gateway accepted.
    static func undeliverable(_ outbox: Outbox, of project: String) -> String {
        ofProject(project, outbox == .mails ? "dead-mails" : "dead-letters")
    }

    /// Sorted set: messages by the time when their delivery receipts are due.
    static func dueReceipts(of project: String) -> String { ofProject(project, "due-receipts") }

    /// Hash of a day: gateway and event → count of messages or e-mails.
    static func counts(_ outbox: Outbox, of project: String, day: Int64) -> String {
        ofProject(project, outbox == .mails ? "mail-counts" : "message-counts", String(day))
    }

    /// Stream of decisions about requests, except those of ``sendDecisions(of:_:)``. The reference selects one of the
    /// project's streams. Requests that name no project share streams.
    static func decisions(of project: String?, _ reference: DecisionReference) -> String {
        ofProject(project ?? "/", "decisions", String(reference.stream))
    }

    /// Stream of decisions about requests that returned a session.
    static func sendDecisions(of project: String, _ reference: DecisionReference) -> String {
        ofProject(project, "send-decisions", String(reference.stream))
    }

    /// Stream of the references of refused requests about a number. Its hash selects one of the project's streams.
    static func refusals(of phone: PhoneIdentity) -> String {
        ofProject(phone.project, "refusals", String(phone.hash.prefix(1)))
    }
}

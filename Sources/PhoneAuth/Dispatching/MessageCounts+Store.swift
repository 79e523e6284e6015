internal import RedisScripts

/// An event of text messages or e-mails that is counted.
public enum MessageEvent: String, Sendable, CaseIterable {
    /// A gateway accepted the message.
    case accepted
    /// A gateway refused the message, so the next gateway got it.
    case passedOn = "passed-on"
    /// The gateway reported that the message was delivered.
    case delivered
    /// The gateway reported that the message was not delivered.
    case undelivered
    /// The gateway did not report in time whether the message was delivered.
    case unconfirmed
    /// The message's session had ended before it was sent.
    case ended
    /// No gateway accepted the message.
    case dead
    /// No account may receive the e-mail.
    case unaddressed
}

/// The count of an event of a project's messages.
public struct MessageCount: Sendable, Hashable {
    /// The project's id.
    public let project: String
    /// The outbox of the messages.
    public let outbox: Outbox
    /// The gateway; nil for events without a gateway.
    public let gateway: String?
    /// The event.
    public let event: MessageEvent
    /// The number of events.
    public let count: Int64
}

extension Store {
    /// Counts one event on the current day (UTC). The count is lost if Redis does not answer: the counts are
    /// informational.
    func count(_ event: MessageEvent, in outbox: Outbox, of project: String, gateway: String?, now: Int64) {
        count("\(event.rawValue):\(gateway ?? "")", in: { KeyNames.counts(outbox, of: project, day: $0) }, now: now)
    }

    /// Returns an outbox's counts of the last `days` days, including today.
    /// - Throws: ``StoreUnavailable``.
    func messageCounts(
        _ outbox: Outbox,
        of project: String,
        days: Int,
        now: Int64
    ) throws(StoreUnavailable) -> [MessageCount] {
        let sums = try counts(days: days, now: now) { [KeyNames.counts(outbox, of: project, day: $0)] }
        return sums.compactMap { field, count in
            let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let event = MessageEvent(rawValue: String(parts[0])) else { return nil }
            let gateway = parts[1].isEmpty ? nil : String(parts[1])
            return MessageCount(project: project, outbox: outbox, gateway: gateway, event: event, count: count)
        }
    }
}

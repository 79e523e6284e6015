/// What is counted of text messages.
public enum MessageEvent: String, Sendable, CaseIterable {
    /// A gateway took it.
    case accepted
    /// A gateway would not have it, so the next one got it.
    case passedOn = "passed-on"
    /// The gateway says that it was delivered.
    case delivered
    /// The gateway says that it was not delivered.
    case undelivered
    /// The gateway did not say in time whether it was delivered.
    case unconfirmed
    /// Its session had ended before it was sent.
    case ended
    /// No gateway took it.
    case dead
}

/// How often something happened to a project's messages.
public struct MessageCount: Sendable, Hashable {
    /// The gateway; nil for what happened at none.
    public let gateway: String?
    /// What happened.
    public let event: MessageEvent
    /// How often.
    public let count: Int64
}

extension Store {
    /// Counts one event; the day is UTC's. It is lost where Redis does not answer: counts are for people.
    public func count(_ event: MessageEvent, of project: String, gateway: String?, now: Int64) {
        count("\(event.rawValue):\(gateway ?? "")", in: { KeyNames.messageCounts(project, day: $0) }, now: now)
    }

    /// The counts of a project in the last `days` days, today's among them.
    /// - Throws: ``StoreUnavailable``.
    public func messageCounts(of project: String, days: Int, now: Int64) throws(StoreUnavailable) -> [MessageCount] {
        let sums = try counts(days: days, now: now) { KeyNames.messageCounts(project, day: $0) }
        return sums.compactMap { field, count in
            let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let event = MessageEvent(rawValue: String(parts[0])) else { return nil }
            return MessageCount(gateway: parts[1].isEmpty ? nil : String(parts[1]), event: event, count: count)
        }
    }
}

/// What is counted of silent pushes.
public enum PushEvent: String, Sendable, CaseIterable {
    /// APNs took it.
    case sent
    /// Its receipt came back for the first time.
    case returned
    /// APNs or the network refused it for good, or its time was up.
    case failed
}

/// How often something happened to an app's pushes.
public struct PushCount: Sendable, Hashable {
    /// The app's bundle id.
    public let bundleID: String
    /// In which of APNs' worlds.
    public let environment: PushEnvironment
    /// What happened.
    public let event: PushEvent
    /// How often.
    public let count: Int64
}

extension Store {
    /// Counts one event; the day is UTC's. It is lost where Redis does not answer: counts are for people.
    public func count(
        _ event: PushEvent,
        of project: String,
        bundleID: String,
        _ environment: PushEnvironment,
        now: Int64
    ) {
        let field = "\(environment.rawValue):\(event.rawValue):\(bundleID)"
        count(field, in: { KeyNames.pushCounts(project, day: $0) }, now: now)
    }

    /// The counts of a project in the last `days` days, today's among them.
    /// - Throws: ``StoreUnavailable``.
    public func pushCounts(of project: String, days: Int, now: Int64) throws(StoreUnavailable) -> [PushCount] {
        let sums = try counts(days: days, now: now) { KeyNames.pushCounts(project, day: $0) }
        return sums.compactMap { field, count in
            let parts = field.split(separator: ":", maxSplits: 2)
            guard parts.count == 3, let environment = PushEnvironment(rawValue: String(parts[0])),
                let event = PushEvent(rawValue: String(parts[1]))
            else { return nil }
            return PushCount(bundleID: String(parts[2]), environment: environment, event: event, count: count)
        }
    }
}

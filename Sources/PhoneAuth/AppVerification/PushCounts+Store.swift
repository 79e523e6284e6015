internal import RedisScripts

/// An event of silent pushes that is counted.
public enum PushEvent: String, Sendable, CaseIterable {
    /// APNs accepted the push.
    case sent
    /// The push's receipt was used for the first time.
    case returned
    /// APNs or the network refused the push permanently, or it expired.
    case failed
}

/// The count of an event of an app's pushes.
public struct PushCount: Sendable, Hashable {
    /// The app's bundle id.
    public let bundleID: String
    /// The APNs environment.
    public let environment: PushEnvironment
    /// The event.
    public let event: PushEvent
    /// The number of events.
    public let count: Int64
}

extension Store {
    /// Counts one event on the current day (UTC). The count is lost if Redis does not answer: the counts are
    /// informational.
    func count(
        _ event: PushEvent,
        of project: String,
        bundleID: String,
        _ environment: PushEnvironment,
        now: Int64
    ) {
        let field = "\(environment.rawValue):\(event.rawValue):\(bundleID)"
        count(field, in: { KeyNames.pushCounts(project, day: $0) }, now: now)
    }

    /// Returns a project's counts of the last `days` days, including today.
    /// - Throws: ``StoreUnavailable``.
    func pushCounts(of project: String, days: Int, now: Int64) throws(StoreUnavailable) -> [PushCount] {
        let sums = try counts(days: days, now: now) { [KeyNames.pushCounts(project, day: $0)] }
        return sums.compactMap { field, count in
            let parts = field.split(separator: ":", maxSplits: 2)
            guard parts.count == 3, let environment = PushEnvironment(rawValue: String(parts[0])),
                let event = PushEvent(rawValue: String(parts[1]))
            else { return nil }
            return PushCount(bundleID: String(parts[2]), environment: environment, event: event, count: count)
        }
    }
}

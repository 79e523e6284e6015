internal import Redis

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
    private static let dayMilliseconds: Int64 = 86_400_000
    /// A week is kept, and the day that begins.
    private static let countLifeSeconds = 8 * 86_400

    /// Counts one event; the day is UTC's. It is lost where Redis does not answer: counts are for people.
    public func count(
        _ event: PushEvent,
        of project: String,
        bundleID: String,
        _ environment: PushEnvironment,
        now: Int64
    ) {
        let key = KeyNames.pushCounts(project, day: now / Self.dayMilliseconds)
        let field = "\(environment.rawValue):\(event.rawValue):\(bundleID)"
        guard let counted = try? send("HINCRBY", key, field, "1").integer(), counted == 1 else { return }
        _ = try? send("EXPIRE", key, String(Self.countLifeSeconds))
    }

    /// The counts of a project in the last `days` days, today's among them.
    /// - Throws: ``StoreUnavailable``.
    public func pushCounts(of project: String, days: Int, now: Int64) throws(StoreUnavailable) -> [PushCount] {
        let today = now / Self.dayMilliseconds
        var sums: [String: Int64] = [:]
        let keys = (0..<Int64(days)).map { [KeyNames.pushCounts(project, day: today - $0)] }
        for reply in try pipeline("HGETALL", keys) {
            for (field, value) in reply.fields(from: 0) {
                sums[field, default: 0] += Int64(String(decoding: value, as: UTF8.self)) ?? 0
            }
        }
        return sums.compactMap { field, count in
            let parts = field.split(separator: ":", maxSplits: 2)
            guard parts.count == 3, let environment = PushEnvironment(rawValue: String(parts[0])),
                let event = PushEvent(rawValue: String(parts[1]))
            else { return nil }
            return PushCount(bundleID: String(parts[2]), environment: environment, event: event, count: count)
        }
    }
}

/// Counters in one hash per day (UTC). Redis keeps the last week and the current day.
extension Store {
    /// The length of a day.
    public static let dayMilliseconds: Int64 = 86_400_000
    private static let countLifeSeconds = 8 * 86_400

    /// Adds 1 to a counter. The count is lost if Redis does not answer.
    public func count(_ field: String, in key: (_ day: Int64) -> String, now: Int64) {
        let key = key(now / Self.dayMilliseconds)
        let counted = bestEffort("count an event", try send("HINCRBY", key, field, "1").integer())
        guard counted == 1 else { return }
        bestEffort("set the TTL of counts", try send("EXPIRE", key, String(Self.countLifeSeconds)))
    }

    /// Returns the sums of the last `days` days, including today.
    public func counts(
        days: Int,
        now: Int64,
        in keys: (_ day: Int64) -> [String]
    ) throws(StoreUnavailable) -> [String: Int64] {
        let today = now / Self.dayMilliseconds
        var sums: [String: Int64] = [:]
        for reply in try sendAll("HGETALL", (0..<Int64(days)).flatMap { keys(today - $0) }.map { [$0] }) {
            sums.merge(reply.fields(from: 0).integers, uniquingKeysWith: +)
        }
        return sums
    }
}

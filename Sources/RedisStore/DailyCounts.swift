/// Counters in a hash of each day, UTC. A week is kept, and the day that begins.
extension Store {
    static let dayMilliseconds: Int64 = 86_400_000
    private static let countLifeSeconds = 8 * 86_400

    /// Counts one; lost where Redis does not answer.
    func count(_ field: String, in key: (_ day: Int64) -> String, now: Int64) {
        let key = key(now / Self.dayMilliseconds)
        guard let counted = try? send("HINCRBY", key, field, "1").integer(), counted == 1 else { return }
        _ = try? send("EXPIRE", key, String(Self.countLifeSeconds))
    }

    /// The sums of the last `days` days, today's among them.
    func counts(days: Int, now: Int64, in key: (_ day: Int64) -> String) throws(StoreUnavailable) -> [String: Int64] {
        let today = now / Self.dayMilliseconds
        var sums: [String: Int64] = [:]
        let keys = (0..<Int64(days)).map { [key(today - $0)] }
        for reply in try pipeline("HGETALL", keys) {
            sums.merge(reply.fields(from: 0).integers, uniquingKeysWith: +)
        }
        return sums
    }
}

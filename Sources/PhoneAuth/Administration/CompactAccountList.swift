public import RedisStore

extension OperationContext {
    /// Moves uids of the project's accounts from the previous version's list to pages, which take less memory.
    ///
    /// Sign-ins and exports continue meanwhile. Each step is atomic, so this can be interrupted and repeated. Calls
    /// `report` with how many were moved in each step. All workers must run this version: workers of the previous
    /// version do not read pages.
    ///
    /// Each step sets a new deadline, because all steps together may take minutes.
    /// - Throws: ``StoreUnavailable``.
    public func compactAccountList(report: (Int) -> Void) throws(StoreUnavailable) {
        for shard in store.shards.shards {
            while true {
                authenticator.setDeadline(.now + Self.stepDuration)
                let moved = try store.compactAccountList(of: project.id, in: shard, atMost: Self.uidsPerStep)
                guard moved > 0 else { break }
                report(Int(moved))
            }
        }
    }

    /// Few enough for Redis to move them in less than a millisecond.
    private static let uidsPerStep = 100
    /// Enough to wait for a failover of Redis.
    private static let stepDuration: Duration = .seconds(10)
}

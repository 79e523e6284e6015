internal import Redis
internal import RedisScripts

extension Store {
    /// Returns several accounts in one round trip; nil for those that do not exist.
    /// - Throws: ``StoreUnavailable``.
    func accounts(_ accounts: [AccountIdentity]) throws(StoreUnavailable) -> [AccountRecord?] {
        guard !accounts.isEmpty else { return [] }
        return try sendAll("HGETALL", accounts.map { [KeyNames.user($0)] })
            .map { AccountRecord(fields: $0.fields(from: 0)) }
    }

    /// Returns the number of a project's accounts.
    /// - Throws: ``StoreUnavailable``.
    func accountCount(of project: String) throws(StoreUnavailable) -> Int64 {
        let shards = shards.shards
        let pages = try sendAll("ZRANGE", shards.map { [KeyNames.userPages($0, project), "0", "-1"] })
        var keys: [[String]] = []
        for (shard, names) in zip(shards, pages) {
            keys += try names.texts().map { [KeyNames.userPage($0, shard, project)] }
        }
        var count: Int64 = 0
        for size in try sendAll("ZCARD", keys) { count += try size.integer() }
        return count
    }

    /// Returns the uids of a project's accounts in one shard, in lexicographic order.
    /// - Throws: ``StoreUnavailable``.
    func accounts(of project: String, in shard: Shard) throws(StoreUnavailable) -> [String] {
        try run(ScriptCall(listing: project, in: shard, after: nil, limit: Int(Int32.max))).texts()
    }

    /// Returns a project's next uids in lexicographic order, over all shards: those after `last`, or the first ones if
    /// it is nil. Returns `limit` uids, or fewer at the end.
    ///
    /// Shards hold about equally many uids, so each is asked for slightly more than its share. The merged order is
    /// certain only up to the last uid of any list that may continue.
    /// - Throws: ``StoreUnavailable``.
    func uids(of project: String, after last: String?, limit: Int) throws(StoreUnavailable) -> [String] {
        var uids: [String] = []
        var after = last
        while uids.count < limit {
            let part = min(limit, 2 * (limit - uids.count) / shards.value + 8)
            let calls = shards.shards.map { ScriptCall(listing: project, in: $0, after: after, limit: part) }
            var found: [String] = []
            var certainUntil: String?
            for reply in try run(calls) {
                let texts = try reply.texts()
                found += texts
                guard texts.count == part, let last = texts.last else { continue }
                certainUntil = certainUntil.map { $0.isBefore(last) ? $0 : last } ?? last
            }
            found.sort { $0.isBefore($1) }
            guard let certainUntil else {
                uids += found
                break
            }
            uids += found.prefix { !certainUntil.isBefore($0) }
            after = certainUntil
        }
        return Array(uids.prefix(limit))
    }
}

extension ScriptCall {
    fileprivate init(listing project: String, in shard: Shard, after last: String?, limit: Int) {
        self.init(
            .listAccounts,
            keys: ["pagesKey": KeyNames.userPages(shard, project)],
            ["after": .text(last ?? ""), "limit": .count(limit)]
        )
    }
}

extension String {
    /// Returns whether this string precedes another in Redis's order of sorted set members, which compares bytes.
    fileprivate func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

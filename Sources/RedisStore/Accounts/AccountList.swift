internal import Redis

extension Store {
    /// Returns several accounts in one round trip; nil for those that do not exist.
    /// - Throws: ``StoreUnavailable``.
    public func accounts(_ accounts: [AccountIdentity]) throws(StoreUnavailable) -> [AccountRecord?] {
        guard !accounts.isEmpty else { return [] }
        return try sendAll("HGETALL", accounts.map { [KeyNames.user($0)] })
            .map { AccountRecord(fields: $0.fields(from: 0)) }
    }

    /// Returns the number of a project's accounts.
    /// - Throws: ``StoreUnavailable``.
    public func accountCount(of project: String) throws(StoreUnavailable) -> Int64 {
        let shards = shards.shards
        let former = shards.map { ("ZCARD", [KeyNames.users($0, project)]) as StoreRead }
        let onPages = shards.map { ("GET", [KeyNames.userCount($0, project)]) as StoreRead }
        let replies = try read(former + onPages)
        var count: Int64 = 0
        for reply in replies.prefix(former.count) { count += try reply.integer() }
        for reply in replies.dropFirst(former.count) where !reply.isNull { count += Int64(try reply.text()) ?? 0 }
        return count
    }

    /// Returns the uids of a project's accounts in one shard, in lexicographic order.
    /// - Throws: ``StoreUnavailable``.
    public func accounts(of project: String, in shard: Shard) throws(StoreUnavailable) -> [String] {
        let reply = try run(ScriptCall(listing: project, in: shard, after: nil, limit: Int(Int32.max)))
        return (try reply.reply(at: 0).texts() + reply.reply(at: 1).texts()).sortedUIDs()
    }

    /// Returns a project's next uids in lexicographic order, over all shards: those after `last`, or the first ones if
    /// it is nil. Returns `limit` uids, or fewer at the end.
    ///
    /// Shards hold about equally many uids, so each is asked for slightly more than its share. The merged order is
    /// certain only up to the last uid of any list that may continue.
    /// - Throws: ``StoreUnavailable``.
    public func uids(of project: String, after last: String?, limit: Int) throws(StoreUnavailable) -> [String] {
        var uids: [String] = []
        var after = last
        while uids.count < limit {
            let part = min(limit, 2 * (limit - uids.count) / shards.value + 8)
            let calls = shards.shards.map { ScriptCall(listing: project, in: $0, after: after, limit: part) }
            var found: [String] = []
            var certainUntil: String?
            for reply in try run(calls) {
                for list in try reply.replies() {
                    let texts = try list.texts()
                    found += texts
                    guard texts.count == part, let last = texts.last else { continue }
                    certainUntil = certainUntil.map { $0.isBefore(last) ? $0 : last } ?? last
                }
            }
            found = found.sortedUIDs()
            guard let certainUntil else {
                uids += found
                break
            }
            uids += found.prefix { !certainUntil.isBefore($0) }
            after = certainUntil
        }
        return Array(uids.prefix(limit))
    }

    /// Moves at most `limit` uids of a project's accounts in a shard from the previous version's list to pages.
    /// - Returns: how many were moved; 0 if all are on pages.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func compactAccountList(
        of project: String,
        in shard: Shard,
        atMost limit: Int
    ) throws(StoreUnavailable) -> Int64 {
        try run(
            .compactAccountList,
            keys: [
                "usersKey": KeyNames.users(shard, project),
                "pagesKey": KeyNames.userPages(shard, project),
                "countKey": KeyNames.userCount(shard, project),
            ],
            ["limit": .count(limit)]
        ).integer()
    }
}

extension ScriptCall {
    fileprivate init(listing project: String, in shard: Shard, after last: String?, limit: Int) {
        self.init(
            .listAccounts,
            keys: [
                "usersKey": KeyNames.users(shard, project),
                "pagesKey": KeyNames.userPages(shard, project),
            ],
            ["after": .text(last ?? ""), "limit": .count(limit)]
        )
    }
}

extension [String] {
    /// Returns the uids in Redis's order, each once: an account that a worker of the previous version recreated may be
    /// listed twice.
    fileprivate func sortedUIDs() -> [String] {
        var uids: [String] = []
        for uid in sorted(by: { $0.isBefore($1) }) where uids.last?.isBefore(uid) ?? true { uids.append(uid) }
        return uids
    }
}

extension String {
    /// Returns whether this string precedes another in Redis's order of sorted set members, which compares bytes.
    fileprivate func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

import TestServers

/// All accounts in Redis, and all lists and claims that refer to them.
struct AccountAudit {
    /// The accounts' uids.
    private(set) var uids: Set<String> = []
    /// Descriptions of inconsistencies; empty if there are none.
    private(set) var faults: [String] = []
    /// Dangling claims, which are allowed while a request may still be running.
    private(set) var orphans: [String] = []

    /// Returns one line for each account, list entry, claim in an account, and claim under an identifier.
    private static let script = """
        local lines = {}
        for _, key in ipairs(redis.call('KEYS', 'dt:{u*}:users:demo-dialtone:page:*')) do
          for _, uid in ipairs(redis.call('ZRANGE', key, 0, -1)) do table.insert(lines, 'listed:' .. uid) end
        end
        for _, key in ipairs(redis.call('KEYS', 'dt:{u*}:user:demo-dialtone:*')) do
          local uid = string.match(key, '[^:]+$')
          table.insert(lines, 'account:' .. uid)
          for _, kind in ipairs({'phone', 'email'}) do
            local claim = redis.call('HGET', key, kind .. '-claim')
            if claim then table.insert(lines, 'holds:' .. kind .. ' ' .. claim .. ' ' .. uid) end
          end
        end
        for _, kind in ipairs({'phone', 'email'}) do
          for _, key in ipairs(redis.call('KEYS', 'dt:{*}:' .. kind .. ':*')) do
            table.insert(lines, 'leads:' .. kind .. ' ' .. redis.call('GET', key))
          end
        end
        return lines
        """

    init(_ redis: RedisServer) {
        var found: [Substring: [String]] = [:]
        for line in redis.cli("EVAL", Self.script, "0").split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { found[parts[0], default: []].append(String(parts[1])) }
        }
        let accounts = found["account", default: []]
        uids = Set(accounts)
        if found["listed", default: []].sorted() != accounts.sorted() {
            faults.append("the lists of accounts are not of those there are")
        }
        let leading = found["leads", default: []]
        let held = found["holds", default: []]
        for claim in held {
            let count = leading.count { $0 == claim }
            if count != 1 { faults.append("\(count) identifiers lead to the account that holds \(claim)") }
        }
        orphans = leading.filter { !held.contains($0) }
    }
}

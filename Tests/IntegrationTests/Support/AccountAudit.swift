import TestServers

/// All accounts in a Redis, and all that leads to them.
struct AccountAudit {
    /// The accounts' uids.
    let uids: Set<String>
    /// What is wrong, in words; empty where all is well.
    private(set) var faults: [String] = []
    /// What leads nowhere, which is no fault while somebody may still be on the way.
    private(set) var orphans: [String] = []

    private static let kinds = ["phone", "email"]

    init(_ redis: RedisServer) {
        func keys(_ pattern: String) -> [String] {
            redis.cli("--scan", "--pattern", pattern).split(separator: "\n").map(String.init)
        }
        var held: [String: String] = [:]
        var uids: Set<String> = []
        for key in keys("dt:{u*}:user:demo-dialtone:*") {
            let uid = String(key.split(separator: ":").last ?? "")
            uids.insert(uid)
            for kind in Self.kinds {
                let claim = redis.cli("HGET", key, "\(kind)-claim")
                if !claim.isEmpty { held["\(kind) \(claim) \(uid)"] = uid }
            }
        }
        self.uids = uids
        let listed = keys("dt:{u*}:users:demo-dialtone").flatMap { key in
            redis.cli("ZRANGE", key, "0", "-1").split(separator: "\n").map(String.init)
        }
        if Set(listed) != uids || listed.count != uids.count {
            faults.append("the lists of accounts are not of those there are")
        }

        var leading: [String: Int] = [:]
        for kind in Self.kinds {
            for key in keys("dt:{*}:\(kind):demo-dialtone:*") {
                let claim = "\(kind) \(redis.cli("GET", key))"
                leading[claim, default: 0] += 1
                if held[claim] == nil { orphans.append(claim) }
            }
        }
        for (claim, uid) in held where leading[claim] != 1 {
            faults.append("\(leading[claim] ?? 0) identifiers lead to \(uid) by its claim \(claim)")
        }
    }
}

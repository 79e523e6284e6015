/// All commands that workers and dispatchers send or that their scripts run, each with representative arguments: what
/// an ACL must allow. Development tools also need `SCAN`; moves between index keys `SCAN`, `COPY` and `CLIENT LIST`.
enum NeededCommands {
    private static let key = "dt:{/}:doctor"

    static let all =
        [
            "PING", "TIME", "SELECT 0", "CLIENT SETNAME dialtone", "HELLO", "WAIT 1 1", "SCRIPT LOAD return",
            "EVALSHA \(String(repeating: "0", count: 40)) 0",
        ] + ofKeys.map { $0.withKey(key) }

    /// The additional commands that connections to a cluster send. `CLUSTER NODES` is for `dialtone doctor` and for
    /// moves between index keys.
    static let ofClusters = ["ASKING", "CLUSTER INFO", "CLUSTER SLOTS", "CLUSTER NODES"]

    /// `KEY` stands for one of Dialtone's keys.
    private static let ofKeys = [
        "GET KEY", "MGET KEY", "SET KEY value", "PSETEX KEY 1 value", "DEL KEY", "EXISTS KEY", "INCR KEY",
        "EXPIRE KEY 1", "PEXPIRE KEY 1", "PTTL KEY", "PERSIST KEY",
        "HGET KEY field", "HSET KEY field value", "HSETNX KEY field value", "HGETALL KEY", "HMGET KEY field",
        "HDEL KEY field", "HEXISTS KEY field", "HLEN KEY", "HINCRBY KEY field 1",
        "ZADD KEY 1 member", "ZREM KEY member", "ZCARD KEY", "ZCOUNT KEY 0 1", "ZRANGE KEY 0 1",
        "ZRANGEBYSCORE KEY 0 1", "ZRANK KEY member",
        "ZREMRANGEBYRANK KEY 0 1", "ZREMRANGEBYSCORE KEY 0 1",
        "XADD KEY * field value", "XLEN KEY", "XRANGE KEY - +", "XREVRANGE KEY + -", "XDEL KEY 1-1",
        "XTRIM KEY MAXLEN 1",
        "XGROUP CREATE KEY group 0", "XGROUP DELCONSUMER KEY group name", "XINFO CONSUMERS KEY group",
        "XREADGROUP GROUP group name STREAMS KEY >", "XAUTOCLAIM KEY group name 0 0", "XACK KEY group 1-1",
        "XCLAIM KEY group name 0 1-1", "XPENDING KEY group - + 1",
    ]
}

extension String {
    fileprivate func withKey(_ key: String) -> String {
        split(separator: " ").map { $0 == "KEY" ? key : String($0) }.joined(separator: " ")
    }
}

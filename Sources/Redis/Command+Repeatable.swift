extension Command {
    /// Whether the command may be resent if its reply was lost: it only reads, or calls a script that is
    /// ``Script/isRepeatable``.
    ///
    /// `PING` is excluded on purpose: its sender asks whether the server replies in time. Reads that advance a consumer
    /// group are excluded, and so are all plain writes: some writes, such as `INCR`, would count twice, and the reply
    /// of others depends on what the first execution found.
    var isRepeatable: Bool { script?.isRepeatable ?? Self.reads.contains("\(name)") }

    private static let reads: Set<String> = [
        "EXISTS", "GET", "HEXISTS", "HGET", "HGETALL", "HMGET", "INFO", "MGET", "PTTL", "SCAN", "TIME",
        "XINFO", "XLEN", "XRANGE", "XREVRANGE", "ZCARD", "ZRANGE", "ZRANGEBYSCORE",
    ]
}

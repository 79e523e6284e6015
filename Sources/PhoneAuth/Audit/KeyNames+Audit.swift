internal import RedisScripts

extension KeyNames {
    /// Stream of the audit events of a shard's accounts.
    static func audit(_ shard: Shard) -> String { name("u", shard, "audit") }

    /// Stream of the audit events that must not evict others. Scripts derive this name from ``audit(_:)``.
    static func auditOverflow(_ shard: Shard) -> String { audit(shard) + "-overflow" }
}

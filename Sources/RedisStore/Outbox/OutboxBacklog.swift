/// The backlog of an outbox.
public struct OutboxBacklog: Sendable, Equatable {
    /// The number of items that wait or are being sent.
    public let items: Int
    /// When the oldest item was queued, or queued again; milliseconds since the Unix epoch on Redis's clock. nil if
    /// there is no item.
    public let oldest: Int64?
}

extension Store {
    /// Returns the backlog of an outbox, in two round trips: one cheap command for each shard, and one more for each
    /// shard with items.
    /// - Throws: ``StoreUnavailable``.
    public func backlog(of outbox: Outbox) throws(StoreUnavailable) -> OutboxBacklog {
        let keys = shards.shards.map { KeyNames.outbox(outbox, $0) }
        var items = 0
        var filled: [String] = []
        for (key, reply) in zip(keys, try pipeline("XLEN", keys.map { [$0] })) {
            let count = Int(try reply.integer())
            items += count
            if count > 0 { filled.append(key) }
        }
        guard !filled.isEmpty else { return OutboxBacklog(items: 0, oldest: nil) }
        var oldest: Int64?
        for reply in try pipeline("XRANGE", filled.map { [$0, "-", "+", "COUNT", "1"] }) {
            // The item may have been finished since.
            guard let entry = try reply.replies().first else { continue }
            let id = try entry.text(at: 0)
            guard let time = Int64(id.prefix { $0 != "-" }) else { throw .unexpectedReply }
            oldest = min(oldest ?? time, time)
        }
        return OutboxBacklog(items: items, oldest: oldest)
    }
}

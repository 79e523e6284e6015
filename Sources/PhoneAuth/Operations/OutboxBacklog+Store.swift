public import RedisScripts

/// The backlog of an outbox.
public struct OutboxBacklog: Sendable, Equatable {
    /// The number of items that wait or are being sent.
    public let items: Int
    /// When the oldest item was queued, or queued again; milliseconds since the Unix epoch on Redis's clock. nil if
    /// there is no item.
    public let oldest: Int64?
}

extension Store {
    /// Returns the backlog of an outbox, in two round trips. In a cluster, the projects of failed nodes are missing.
    /// - Throws: ``StoreUnavailable``.
    public func backlog(of outbox: Outbox) throws(StoreUnavailable) -> OutboxBacklog {
        var items = 0
        var filled: [String] = []
        for (project, reply) in try sendEach("XLEN", for: projects, { [KeyNames.outbox(outbox, of: $0)] }) {
            let count = Int(try reply.integer())
            items += count
            if count > 0 { filled.append(project) }
        }
        let first = try sendEach("XRANGE", for: filled) { [KeyNames.outbox(outbox, of: $0), "-", "+", "COUNT", "1"] }
        var oldest: Int64?
        for (_, reply) in first {
            // The item may have been finished since.
            guard let entry = try reply.replies().first else { continue }
            let id = try entry.text(at: 0)
            guard let time = Int64(id.prefix { $0 != "-" }) else { throw .unexpectedReply }
            oldest = min(oldest ?? time, time)
        }
        return OutboxBacklog(items: items, oldest: oldest)
    }
}

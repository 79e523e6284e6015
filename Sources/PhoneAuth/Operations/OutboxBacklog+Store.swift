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
        for (project, reply) in try replies(to: "XLEN", for: projects, { [KeyNames.outbox(outbox, of: $0)] }) {
            let count = Int(try reply.integer())
            items += count
            if count > 0 { filled.append(project) }
        }
        let first = try replies(to: "XRANGE", for: filled) {
            [KeyNames.outbox(outbox, of: $0), "-", "+", "COUNT", "1"]
        }
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
    /// Sends one command for each project. Returns the replies, without those of failed nodes of a cluster.
    /// - Throws: ``StoreUnavailable`` if all commands failed; on a single server, if any command failed.
    private func replies(
        to name: StaticString,
        for projects: [String],
        _ arguments: (String) -> [String]
    ) throws(StoreUnavailable) -> [(project: String, reply: ScriptReply)] {
        var replies: [(project: String, reply: ScriptReply)] = []
        var failures: [StoreUnavailable] = []
        let outcomes = outcomes(of: projects.map { Self.command(name, arguments($0)) })
        for (project, outcome) in zip(projects, outcomes) {
            switch outcome {
            case .success(let reply): replies.append((project, reply))
            case .failure(let failure): failures.append(failure)
            }
        }
        guard let failure = failures.first else { return replies }
        guard isCluster, !replies.isEmpty else { throw failure }
        onPartialFailure?(
            StoreUnavailable(description: "\(failures.count) of \(outcomes.count) commands failed: \(failure)")
        )
        return replies
    }
}

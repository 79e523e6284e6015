internal import RedisScripts

/// The events of some shards, read page by page: in chronological order and followed by new events, or the latest
/// first. Each shard has two streams.
struct AuditScan {
    private struct Stream {
        let key: String
        /// The last entry that was read.
        var position: AuditEntryID
        /// Entries that were read but not yet returned, the next one first.
        var page: ArraySlice<(id: AuditEntryID, event: AuditEvent?)> = []
        /// Whether the stream had no entries after the page.
        var isAtEnd = false
    }

    private static let pollInterval: Duration = .milliseconds(100)

    private let store: Store
    private let start: AuditEntryID
    private let isReversed: Bool
    /// Small if the latest events of each stream are all that is read.
    private var pageSize: Int { isReversed ? 20 : 200 }
    private var streams: [Stream]

    init(_ store: Store, _ shards: [Shard], since milliseconds: Int64, latestFirst isReversed: Bool) {
        self.store = store
        self.isReversed = isReversed
        // Entry ids are times of Redis's clock; events have times of the workers' clocks.
        let start = AuditEntryID(milliseconds: max(0, milliseconds - Store.maximumClockDifferenceSeconds * 1000))
        let position = isReversed ? AuditEntryID(milliseconds: .max, sequence: .max) : start
        self.start = start
        streams = shards.flatMap { [KeyNames.audit($0), KeyNames.auditOverflow($0)] }
            .map { Stream(key: $0, position: position) }
    }

    /// Returns the next event, or nil if all existing events have been returned.
    /// - Throws: ``StoreUnavailable``.
    mutating func next() throws(StoreUnavailable) -> AuditEvent? {
        while true {
            for index in streams.indices where streams[index].page.isEmpty && !streams[index].isAtEnd {
                try readPage(index)
            }
            let waiting = streams.indices.filter { !streams[$0].page.isEmpty }
            guard
                let first = waiting.min(by: { left, right in
                    guard let left = streams[left].page.first, let right = streams[right].page.first else {
                        return false
                    }
                    return isReversed ? right.id < left.id : left.id < right.id
                }), let entry = streams[first].page.popFirst()
            else { return nil }
            if let event = entry.event { return event }
        }
    }

    /// Waits for new events for at most this time; ``next()`` returns them.
    /// - Throws: ``StoreUnavailable``.
    mutating func wait(milliseconds: Int64) throws(StoreUnavailable) {
        let ranges = streams.map(range(after:))
        let pages = try store.poll(every: Self.pollInterval, milliseconds: milliseconds) {
            () throws(StoreUnavailable) -> [ScriptReply]? in
            let pages = try store.sendAll("XRANGE", ranges)
            for page in pages where try !page.replies().isEmpty { return pages }
            return nil
        }
        for (index, page) in (pages ?? []).enumerated() { try add(page, to: index) }
    }

    private mutating func readPage(_ index: Int) throws(StoreUnavailable) {
        let entries = try store.send(isReversed ? "XREVRANGE" : "XRANGE", range(after: streams[index]))
        streams[index].isAtEnd = try entries.replies().count < pageSize
        try add(entries, to: index)
    }

    /// Returns the arguments that read a stream's next page.
    private func range(after stream: Stream) -> [String] {
        [stream.key, "(\(stream.position.text)", isReversed ? start.text : "+", "COUNT", String(pageSize)]
    }

    private mutating func add(_ entries: ScriptReply, to index: Int) throws(StoreUnavailable) {
        for entry in try entries.replies() {
            let id = try AuditEntryID(text: try entry.text(at: 0))
            streams[index].page.append((id, AuditEvent(try entry.reply(at: 1).fields(from: 0))))
            streams[index].position = id
        }
    }
}

extension Store {
    /// Returns the audit log of one account's shard, or of all shards, starting at a time (milliseconds since the Unix
    /// epoch).
    func auditLog(of account: AccountIdentity?, since milliseconds: Int64, latestFirst: Bool) -> AuditScan {
        let shards = account.map { [$0.shard] } ?? shards.shards
        return AuditScan(self, shards, since: milliseconds, latestFirst: latestFirst)
    }
}

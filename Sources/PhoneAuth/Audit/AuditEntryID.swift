internal import RedisScripts

/// The id of an entry in a shard's stream: Redis's time and a sequence number. Ids of different shards are comparable.
struct AuditEntryID: Comparable, Sendable {
    let milliseconds: Int64
    let sequence: UInt64

    init(milliseconds: Int64, sequence: UInt64 = 0) {
        self.milliseconds = milliseconds
        self.sequence = sequence
    }

    init(text: String) throws(StoreUnavailable) {
        let parts = text.split(separator: "-")
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let sequence = UInt64(parts[1]) else {
            throw .unexpectedReply
        }
        self.init(milliseconds: milliseconds, sequence: sequence)
    }

    var text: String { "\(milliseconds)-\(sequence)" }

    static func < (left: AuditEntryID, right: AuditEntryID) -> Bool {
        (left.milliseconds, left.sequence) < (right.milliseconds, right.sequence)
    }
}

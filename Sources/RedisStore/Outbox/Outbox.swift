/// What waits to be sent to the world. Each kind has a stream in each of its shards.
public enum Outbox: Sendable, CaseIterable {
    /// Text messages with verification codes.
    case messages
    /// Silent pushes.
    case pushes
}

/// What lies in an outbox: an entry of its stream.
public struct OutboxItem: Sendable {
    /// In which outbox it lies.
    public let outbox: Outbox
    /// In which part of it.
    public let shard: Shard
    /// The stream's name for it.
    public let entryID: String
    /// What earlier attempts have shown; empty for a new item, and for one whose dispatcher died.
    public let history: AttemptHistory
    let fields: HashFields
}

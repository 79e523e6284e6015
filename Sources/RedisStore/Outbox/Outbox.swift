/// A queue of items to send to other systems. Each kind has a stream in each of its shards.
public enum Outbox: Sendable, CaseIterable {
    /// Text messages with verification codes.
    case messages
    /// Silent pushes.
    case pushes
}

/// An item of an outbox: an entry of its stream.
public struct OutboxItem: Sendable {
    /// The item's outbox.
    public let outbox: Outbox
    /// The item's shard.
    public let shard: Shard
    /// The entry's id in the stream.
    public let entryID: String
    /// The history of earlier attempts; empty for a new item, and for one whose dispatcher died or lost it.
    public let history: AttemptHistory
    let fields: HashFields

    /// The key of the item's stream.
    var key: String { KeyNames.outbox(outbox, shard) }
}

internal import RedisScripts

/// A queue of items to send to other systems. Each project has a stream of each kind.
public enum Outbox: String, Sendable, CaseIterable {
    /// Text messages with verification codes.
    case messages = "outbox"
    /// Silent pushes.
    case pushes = "push-outbox"
}

/// An item of an outbox: an entry of its stream.
public struct OutboxItem: Sendable {
    /// The item's outbox.
    public let outbox: Outbox
    /// The project's id.
    public let project: String
    /// The entry's id in the stream.
    public let entryID: String
    /// The history of earlier attempts; empty for a new item, and for one whose dispatcher died or lost it.
    public let history: AttemptHistory
    let fields: HashFields

    /// The key of the item's stream.
    var key: String { KeyNames.outbox(outbox, of: project) }
}

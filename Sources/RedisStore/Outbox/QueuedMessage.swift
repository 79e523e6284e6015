internal import Encodings

/// A text message that waits in the outbox of its number's shard.
public struct QueuedMessage: Sendable {
    /// What it was read from.
    public let item: OutboxItem
    /// The session whose code it carries.
    public let session: SessionID
    /// The project's id.
    public let project: String
    /// What the session is for.
    public let purpose: String
    /// The number, sealed.
    public let sealedNumber: [UInt8]
    /// The languages that the client asked for, in its own words.
    public let locale: String
    /// What machines are to read at its end; empty for nothing.
    public let ending: String
    /// When the user asked for it; milliseconds since the Unix epoch.
    public let queuedAt: Int64
    /// When the session ends; milliseconds since the Unix epoch.
    public let expiresAt: Int64
    /// The gateways that had it already.
    public let tried: [String]
    /// What is reserved for it of the day's spending, in millionths.
    let reserved: Int64
    /// Whether the ranges count it.
    let isCounted: Bool

    /// Reads an item; nil for what is no message.
    public init?(_ item: OutboxItem) {
        guard let session = item.fields["session"].flatMap({ SessionID(shard: item.shard, text: $0) }),
            let project = item.fields.text("project"), let purpose = item.fields.text("purpose"),
            let sealedNumber = item.fields["phone"], let queuedAt = item.fields.integer("queued"),
            let expiresAt = item.fields.integer("expires")
        else { return nil }
        self.item = item
        self.session = session
        self.project = project
        self.purpose = purpose
        self.sealedNumber = sealedNumber
        locale = item.fields.text("locale") ?? ""
        ending = item.fields.text("ending") ?? ""
        self.queuedAt = queuedAt
        self.expiresAt = expiresAt
        tried = (item.fields.text("tried") ?? "").split(separator: ",").map(String.init)
        reserved = item.fields.integer("price") ?? 0
        isCounted = item.fields.text("counted") == "1"
    }

    /// Names it among the messages of all shards.
    public var id: QueuedMessageID { QueuedMessageID(shard: item.shard, entryID: item.entryID) }
}

/// Names a message among those of all shards. It opens nothing and may be shown to gateways.
public struct QueuedMessageID: Hashable, Sendable {
    let shard: Shard
    let entryID: String

    /// `17-1800000000000-0`: the shard, and the stream's name for the entry.
    public var text: String { "\(shard.index)-\(entryID)" }

    init(shard: Shard, entryID: String) {
        self.shard = shard
        self.entryID = entryID
    }

    /// Reads an id; nil for what is none of a deployment with so many shards.
    public init?(_ text: String, among shards: ShardCount) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3,
            parts.allSatisfy({ (1...20).contains($0.utf8.count) && $0.isASCIIDigits }),
            let index = UInt16(parts[0]), Int(index) < shards.value
        else { return nil }
        self.init(shard: Shard(index: index), entryID: "\(parts[1])-\(parts[2])")
    }
}
